package lockscope.other;

/** A library's locks of one kind. */
public interface Locks {
    /** Runs the call and returns its result. Throws what the library throws. */
    String perform(Call call) throws Exception;
}
