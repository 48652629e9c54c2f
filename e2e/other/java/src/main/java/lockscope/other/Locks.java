package lockscope.other;

/** A library's locks of one kind. */
public interface Locks {
    /** Does what the call says and gives back what its caller is told; throws what the library throws. */
    String perform(Call call) throws Exception;
}
