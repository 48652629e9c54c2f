package lockscope.other;

import java.util.Arrays;

/** One operation of one actor: {@code A lock spin orders:42 3000}. */
public record Call(String actor, String operation, String kind, String name, long[] numbers) {
    static Call parse(String line) {
        String[] words = line.split(" ");
        long[] numbers = Arrays.stream(words).skip(4).mapToLong(Long::parseLong).toArray();
        return new Call(words[0], words[1], words[2], words[3], numbers);
    }

    /** The actor with the kind and the name of its lock, as a key. */
    public String place() {
        return actor + " " + kind + " " + name;
    }
}
