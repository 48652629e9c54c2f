<?php

/*
 * What the PHP clients have in common: they read operations from standard input and write what they saw to standard
 * output, as python/driven_client.py says. A PHP process has one thread, so calls of all actors run one after another.
 */

function tell(string $what): void
{
    fprintf(STDOUT, "%d %s %s\n", (int) (microtime(true) * 1e6), $GLOBALS['client'], $what);
    fflush(STDOUT);
}

/** Connects with `connect($host, $port, $client)`, which returns `perform($operation, $name, $arguments)`. */
function drive(string $library, callable $connect): void
{
    $options = getopt('', ['url:', 'name:']);
    $GLOBALS['client'] = $options['name'];
    ['host' => $host, 'port' => $port] = parse_url($options['url']);
    $perform = $connect($host, $port, $options['name']);
    stream_set_timeout(STDIN, 24 * 3600); // standard input is a socket, whose reads would end after 60 s
    tell("ready $library");
    while (($line = fgets(STDIN)) !== false) {
        [$actor, $operation, $kind, $name] = $words = explode(' ', trim($line));
        $text = implode(' ', array_slice($words, 1));
        tell("$actor > $text");
        try {
            $result = $perform($operation, $name, array_map('intval', array_slice($words, 4)));
            tell("$actor < $text = ".(is_bool($result) ? ($result ? 'ok' : 'false') : $result));
        } catch (Throwable $error) {
            $class = substr(strrchr('\\'.get_class($error), '\\'), 1);
            tell("$actor < $text ! $class: ".str_replace("\n", ' ', $error->getMessage()));
        }
    }
}
