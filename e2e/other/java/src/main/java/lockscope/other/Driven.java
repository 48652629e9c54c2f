package lockscope.other;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads operations on locks of some kinds from standard input, and writes what the client saw to standard output.
 *
 * <pre>
 *   input          ACTOR OPERATION KIND NAME [ARGUMENT ...]       one thread per actor
 *   output         µs app1 ready LIBRARY
 *                  µs app1 A &gt; lock spin orders:42 3000          called
 *                  µs app1 A &lt; lock spin orders:42 3000 = ok     returned; "! Exception: message" if it threw
 * </pre>
 *
 * The end of the input ends the client.
 */
public final class Driven {
    private final String client;
    private final Map<String, Locks> kinds;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Map<String, ExecutorService> actors = new HashMap<>();

    public Driven(String client, Map<String, Locks> kinds) {
        this.client = client;
        this.kinds = kinds;
    }

    public void run(String library) throws Exception {
        write("ready " + library);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Call call = Call.parse(line);
            String text = line.substring(call.actor().length() + 1);
            actors.computeIfAbsent(call.actor(), actor -> Executors.newSingleThreadExecutor())
                    .execute(() -> take(call, text));
        }
        Runtime.getRuntime().halt(0);
    }

    private void take(Call call, String text) {
        write(call.actor() + " > " + text);
        String outcome;
        try {
            outcome = " = " + kinds.get(call.kind()).perform(call);
        } catch (Throwable thrown) {
            outcome = " ! " + thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
        }
        write(call.actor() + " < " + text + outcome);
    }

    private void write(String what) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        String line = micros + " " + client + " " + what.replace('\n', ' ') + "\n";
        synchronized (out) {
            out.print(line);
            out.flush();
        }
    }
}
