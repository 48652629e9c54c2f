package lockscope.interop;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes what this client saw, one line each, with the time of its own clock in microseconds. */
final class Truth {
    private final String client;
    private final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    Truth(String client) {
        this.client = client;
    }

    void write(String what) {
        write(now(), what);
    }

    /** The caller takes the time, so that it is close to the call and not delayed by other threads' output. */
    void write(long micros, String what) {
        String line = micros + " " + client + " " + what.replace('\n', ' ') + "\n";
        synchronized (out) {
            out.print(line);
            out.flush();
        }
    }

    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
