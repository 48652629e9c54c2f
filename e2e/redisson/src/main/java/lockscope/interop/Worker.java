package lockscope.interop;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One Java thread, which may hold locks. It runs its calls one after another and writes truth lines about each. */
final class Worker {
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final Operations operations;
    private final Truth truth;

    Worker(String letter, Operations operations, Truth truth) {
        this.operations = operations;
        this.truth = truth;
        Thread thread = new Thread(this::work, "worker-" + letter);
        thread.setDaemon(true);
        thread.start();
    }

    void submit(Call call) {
        calls.add(call);
    }

    private void work() {
        try {
            while (true) {
                perform(calls.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void perform(Call asked) {
        Call call;
        try {
            call = operations.inRedis(asked);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
        String who = call.letter() + "#" + Thread.currentThread().getId();
        truth.write(who + " > " + call.text());
        String outcome;
        try {
            outcome = " = " + operations.perform(call);
        } catch (Throwable thrown) {
            outcome = " ! " + thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
        }
        long returned = Truth.now();
        truth.write(returned, who + " < " + call.text() + outcome);
    }
}
