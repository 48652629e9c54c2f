package lockscope.interop;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One operation for a thread. */
record Call(String letter, String operation, String kind, String name, List<Long> arguments) {

    /** Reads {@code LETTER OPERATION KIND NAME [ARGUMENT ...]}. */
    static Call parse(String line) {
        String[] words = line.trim().split(" ");
        if (words.length < 4) {
            throw new IllegalArgumentException("not LETTER OPERATION KIND NAME: " + line);
        }
        List<Long> arguments = Arrays.stream(words).skip(4).map(Long::valueOf).toList();
        return new Call(words[0], words[1], words[2], URLDecoder.decode(words[3], StandardCharsets.UTF_8), arguments);
    }

    /** The same call on another object. */
    Call about(String otherKind, String otherName) {
        return new Call(letter, operation, otherKind, otherName, arguments);
    }

    /** The call as truth lines show it: blanks, control characters and percent signs of the name are escaped. */
    String text() {
        StringBuilder text = new StringBuilder(operation).append(' ').append(kind).append(' ');
        for (char c : name.toCharArray()) {
            if (c <= ' ' || c == '%' || c == 0x7f) {
                text.append(String.format("%%%02X", (int) c));
            } else {
                text.append(c);
            }
        }
        arguments.forEach(argument -> text.append(' ').append(argument));
        return text.toString();
    }
}
