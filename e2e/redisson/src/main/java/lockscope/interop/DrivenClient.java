package lockscope.interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * A Redisson client of one or several servers. It reads operations from standard input and writes what it saw to standard
 * output.
 *
 * <pre>
 *   started with   --url redis://127.0.0.1:6379[,redis://…] --name app1 [--watchdog MS] [--clock-ahead MS] [--replica URL]
 *   input          LETTER OPERATION KIND NAME [ARGUMENT ...]     NAME is URL-encoded; one Java thread per LETTER
 *   output         µs app1 ready UUID [UUID …]                  one for each server
 *                  µs app1 A#62 &gt; lock lock orders:42 5000       called
 *                  µs app1 A#62 &lt; lock lock orders:42 5000 = ok  returned; "! Exception: message" if it threw
 * </pre>
 *
 * The end of the input ends the client.
 */
public final class DrivenClient {
    private DrivenClient() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = options(arguments);
        if (options.containsKey("clock-ahead")) {
            FastClock.install(Long.parseLong(options.get("clock-ahead")));
        }
        Truth truth = new Truth(options.get("name"));
        List<RedissonClient> servers = new ArrayList<>();
        for (String url : options.get("url").split(",")) {
            servers.add(Redisson.create(config(url, options)));
        }
        Operations operations = new Operations(servers);
        truth.write("ready " + servers.stream().map(Operations::clientId).collect(Collectors.joining(" ")));

        Map<String, Worker> workers = new HashMap<>();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            Call call = Call.parse(line);
            workers.computeIfAbsent(call.letter(), letter -> new Worker(letter, operations, truth)).submit(call);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Map<String, String> options(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i].replaceFirst("^--", ""), arguments[i + 1]);
        }
        for (String needed : new String[] {"url", "name"}) {
            if (!options.containsKey(needed)) {
                System.err.println("missing --" + needed);
                System.exit(2);
            }
        }
        return options;
    }

    private static Config config(String url, Map<String, String> options) throws ReflectiveOperationException {
        Config config = new Config();
        config.setCodec(new StringCodec());
        if (options.containsKey("replica")) {
            config.useMasterSlaveServers()
                    .setMasterAddress(url)
                    .addSlaveAddress(options.get("replica"))
                    .setClientName(options.get("name"));
        } else {
            config.useSingleServer().setAddress(url).setClientName(options.get("name"));
        }
        if (options.containsKey("watchdog")) {
            Method setter = Config.class.getMethod("setLockWatchdogTimeout", long.class);
            setter.invoke(config, Long.parseLong(options.get("watchdog")));
        }
        return config;
    }
}
