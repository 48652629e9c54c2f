package lockscope.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.redisson.RedissonLock;

/**
 * A clock that is ahead, as on a host without NTP. Only fair locks compare the client's clock with that of other clients, so
 * only their class gets this clock: its calls of {@code System.currentTimeMillis()} go here.
 */
public final class FastClock {
    private static final String FAIR_LOCK = "RedissonFairLock.class";
    private static volatile long aheadMs;

    private FastClock() {}

    public static long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** Must run before Redisson loads its fair lock. */
    static void install(long ms) throws IOException, IllegalAccessException {
        aheadMs = ms;
        try (InputStream file = RedissonLock.class.getResourceAsStream(FAIR_LOCK)) {
            byte[] patched = replaced(file.readAllBytes(), constant(System.class), constant(FastClock.class));
            MethodHandles.privateLookupIn(RedissonLock.class, MethodHandles.lookup()).defineClass(patched);
        }
    }

    /** The name of a class as a constant in a class file: tag 1, its length in two bytes, its characters. */
    private static byte[] constant(Class<?> type) {
        byte[] name = type.getName().replace('.', '/').getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(3 + name.length)
                .put((byte) 1)
                .putShort((short) name.length)
                .put(name)
                .array();
    }

    private static byte[] replaced(byte[] file, byte[] old, byte[] other) {
        for (int at = 0; at + old.length <= file.length; at++) {
            if (Arrays.equals(file, at, at + old.length, old, 0, old.length)) {
                ByteArrayOutputStream patched = new ByteArrayOutputStream();
                patched.write(file, 0, at);
                patched.writeBytes(other);
                patched.write(file, at + old.length, file.length - at - old.length);
                return patched.toByteArray();
            }
        }
        throw new IllegalStateException(FAIR_LOCK + " does not read the clock");
    }
}
