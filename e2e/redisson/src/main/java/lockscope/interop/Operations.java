package lockscope.interop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.redisson.api.RedissonClient;

/** All operations of a thread on the objects of one client. */
final class Operations {
    private static final String TRANSACTION = "tx";

    private final RedissonClient redisson;
    private final Finder finder;
    private final Transactions transactions;
    private final Counters counters = new Counters();
    private final Map<String, Object> known = new ConcurrentHashMap<>();

    Operations(List<RedissonClient> servers) {
        redisson = servers.get(0);
        finder = new Finder(servers);
        transactions = new Transactions(redisson);
    }

    /** The same call with the name in Redis: an object of an entry of a map has its own name. */
    Call inRedis(Call call) throws ReflectiveOperationException {
        if (!Finder.isEntry(call.kind()) || call.operation().equals("has")) {
            return call;
        }
        Object found = finder.find(call.kind(), call.name());
        Call real = call.about(Finder.kindOfEntry(call.kind()), String.valueOf(Reflection.call(found, "getName")));
        known.putIfAbsent(keyOf(real), found);
        return real;
    }

    Object perform(Call call) throws Throwable {
        if (call.operation().equals("has")) {
            return has(call);
        }
        if (call.operation().equals("name")) {
            return call.name();
        }
        if (call.kind().equals(TRANSACTION)) {
            return transactions.perform(call);
        }
        Object found = known.computeIfAbsent(keyOf(call), key -> finder.find(call.kind(), call.name()));
        return found instanceof Lock lock ? Locks.perform(lock, call) : counters.perform(found, call);
    }

    /** Whether this version has such an object. This makes no call to Redis. */
    private boolean has(Call call) {
        try {
            Object found = call.kind().equals(TRANSACTION)
                    ? transactions.begun()
                    : finder.find(call.kind(), call.name());
            return found != null;
        } catch (MissingKind missing) {
            return false;
        }
    }

    private static String keyOf(Call call) {
        return call.kind() + " " + call.name();
    }

    /** The client's uuid, with which its holder ids begin; {@code ?} if this version does not show it. */
    static String clientId(RedissonClient redisson) {
        try {
            return String.valueOf(Reflection.call(redisson, "getId"));
        } catch (ReflectiveOperationException older) {
            return clientIdOfLock(redisson);
        }
    }

    /** Before 3.16 only a lock shows the uuid: its holder id of thread 0 is {@code uuid:0}. */
    private static String clientIdOfLock(RedissonClient redisson) {
        try {
            Object holder = Reflection.call(redisson.getLock("anything"), "getLockName", 0L);
            return String.valueOf(holder).replaceFirst(":0$", "");
        } catch (ReflectiveOperationException unknown) {
            return "?";
        }
    }
}
