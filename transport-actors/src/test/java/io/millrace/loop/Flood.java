package io.millrace.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Many messages from several threads to an actor, which checks the order of each thread's messages.
 */
final class Flood {
  private static final int WINDOW = 1 << 14;

  private final int each;
  private final int[] next;
  private final List<AtomicInteger> received = new ArrayList<>();

  Flood(int threads, int each) {
    this.each = each;
    this.next = new int[threads];
    for (int i = 0; i < threads; i++) {
      received.add(new AtomicInteger());
    }
  }

  Behavior<Integer> counter() {
    return Behaviors.receiveMessage(
        message -> {
          int thread = message % next.length;
          if (message / next.length != next[thread]++) {
            throw new IllegalStateException("thread " + thread + " out of order: " + message);
          }
          received.get(thread).setRelease(next[thread]);
          return Behaviors.same();
        });
  }

  /**
   * Sends all messages, with a window for each thread so that the mailbox stays small, and waits.
   */
  void send(ActorRef<Integer> actor) throws InterruptedException {
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < next.length; i++) {
      int self = i;
      Thread sender = new Thread(() -> send(actor, self));
      sender.setDaemon(true);
      senders.add(sender);
      sender.start();
    }
    for (Thread sender : senders) {
      sender.join();
    }
  }

  long received() {
    return received.stream().mapToLong(AtomicInteger::get).sum();
  }

  private void send(ActorRef<Integer> actor, int self) {
    for (int sent = 0; sent < each; sent++) {
      if (sent % WINDOW == 0) {
        awaitReceived(self, sent - WINDOW);
      }
      actor.tell(sent * next.length + self);
    }
    awaitReceived(self, each);
  }

  private void awaitReceived(int self, int count) {
    while (received.get(self).getAcquire() < count && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(1);
    }
  }
}
