package lockscope.interop;

/** This version of Redisson does not have what was asked for. */
final class MissingKind extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingKind(String what, Throwable cause) {
        super("this version has no " + what, cause);
    }
}
