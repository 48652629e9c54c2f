<?php

/* One client of Laravel's Cache::lock, driven as driven_client.php says. */

require 'Illuminate/Cache/autoload.php';
require 'Illuminate/Container/autoload.php';
require 'Illuminate/Redis/autoload.php';
require __DIR__.'/driven_client.php';

use Illuminate\Cache\RedisStore;
use Illuminate\Container\Container;
use Illuminate\Redis\RedisManager;

/** A blocked caller waits for longer than any story lasts. */
const PATIENCE_S = 60;

drive('laravel', function (string $host, int $port, string $client): callable {
    $connection = ['host' => $host, 'port' => $port, 'name' => $client];
    $store = new RedisStore(new RedisManager(new Container(), 'phpredis', ['default' => $connection]), 'laravel_cache');
    $store->get('nothing'); // the store connects at its first use
    $held = [];

    return function (string $operation, string $name, array $arguments) use ($store, &$held) {
        switch ($operation) {
            case 'lock':
            case 'try':
                $lock = $store->lock($name, (int) ($arguments[0] / 1000));
                $isHeld = $operation === 'lock' ? $lock->block(PATIENCE_S) : $lock->get();
                if ($isHeld) {
                    $held[$name] = $lock;
                }

                return $isHeld;
            case 'unlock':
                return $held[$name]->release();
            case 'owner':
                return $held[$name]->owner();
            default:
                throw new InvalidArgumentException("no such operation: $operation");
        }
    };
});
