package lockscope.interop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;

/** Transactions, one at a time for each thread. They lock what they write until they end. */
final class Transactions {
    private final RedissonClient redisson;
    private final Map<String, Object> open = new ConcurrentHashMap<>();

    Transactions(RedissonClient redisson) {
        this.redisson = redisson;
    }

    /** Throws {@link MissingKind} if this version has no transactions. */
    Object begun() {
        try {
            Class<?> options = Class.forName("org.redisson.api.TransactionOptions");
            return Reflection.call(redisson, "createTransaction", options.getMethod("defaults").invoke(null));
        } catch (ReflectiveOperationException missing) {
            throw new MissingKind("transactions", missing);
        }
    }

    Object perform(Call call) throws ReflectiveOperationException {
        if (call.operation().equals("put")) {
            Object transaction = open.computeIfAbsent(call.letter(), key -> begun());
            // Every version's bucket has set(Object).
            @SuppressWarnings("unchecked")
            RBucket<Object> bucket = (RBucket<Object>) Reflection.call(transaction, "getBucket", call.name());
            bucket.set(String.valueOf(call.arguments()));
            return "ok";
        }
        Object transaction = open.remove(call.letter());
        switch (call.operation()) {
            case "commit", "rollback" -> Reflection.call(transaction, call.operation());
            default -> throw new IllegalArgumentException("no such operation: " + call.operation());
        }
        return "ok";
    }
}
