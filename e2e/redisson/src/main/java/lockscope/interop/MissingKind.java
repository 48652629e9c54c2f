package lockscope.interop;

/** Thrown if this version of Redisson does not have the requested kind. */
final class MissingKind extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingKind(String what, Throwable cause) {
        super("this version has no " + what, cause);
    }
}
