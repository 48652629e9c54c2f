<?php

/* One client of Symfony's RedisStore, driven as driven_client.php says. */

require 'Symfony/Component/Lock/autoload.php';
require __DIR__.'/driven_client.php';

use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Lock;
use Symfony\Component\Lock\Store\RedisStore;

drive('symfony', function (string $host, int $port, string $client): callable {
    $redis = new Redis();
    $redis->connect($host, $port);
    $redis->client('SETNAME', $client);
    $held = [];

    return function (string $operation, string $name, array $arguments) use ($redis, &$held) {
        switch ($operation) {
            case 'lock':
            case 'try':
            case 'read':
                $ttl = $arguments[0] / 1000;
                $key = new Key($name);
                $lock = new Lock($key, new RedisStore($redis, $ttl), $ttl, false);
                $isHeld = $operation === 'read' ? $lock->acquireRead(true) : $lock->acquire($operation === 'lock');
                if ($isHeld) {
                    $held[$name] = [$lock, $key];
                }

                return $isHeld;
            case 'extend':
                $held[$name][0]->refresh($arguments[0] / 1000);

                return true;
            case 'unlock':
                $held[$name][0]->release();

                return true;
            case 'owner':
                return $held[$name][1]->getState(RedisStore::class);
            default:
                throw new InvalidArgumentException("no such operation: $operation");
        }
    };
});
