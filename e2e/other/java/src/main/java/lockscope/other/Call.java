package lockscope.other;

import java.util.Arrays;

/** One operation of one actor: {@code A lock spin orders:42 3000}. */
public record Call(String actor, String operation, String kind, String name, long[] numbers) {
    static Call parse(String line) {
        String[] words = line.split(" ");
        long[] numbers = Arrays.stream(words).skip(4).mapToLong(Long::parseLong).toArray();
        return new Call(words[0], words[1], words[2], words[3], numbers);
    }

    /** Who calls on what: a lock of this name, as this actor has it. */
    public String place() {
        return actor + " " + kind + " " + name;
    }
}
