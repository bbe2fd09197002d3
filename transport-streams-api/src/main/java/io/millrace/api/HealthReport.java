package io.millrace.api;

import io.millrace.ends.TaskSubmission;
import io.millrace.path.peer.PeerHandle;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthWord;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.transfer.PeerHealth;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.jspecify.annotations.Nullable;

/**
 * The health of a peer at one moment; see {@link Peer#health()}.
 *
 * @param state what it is
 * @param failureRate what part of the packets sent to it failed lately, 0 to 1
 * @param smoothedRtt its round trip as it was known last; zero if it was not
 * @param sinceNs when this state began, by {@link System#nanoTime}; 0 if nothing was observed yet
 */
public record HealthReport(
    PeerHealth state, double failureRate, Duration smoothedRtt, long sinceNs) {
  /** Changes that may wait for a slow stream; beyond them the oldest are dropped. */
  private static final int WAITING_CHANGES = 16;

  private static final int HIGHEST = 0;

  /** The health of a peer as it is now. Any thread. */
  static HealthReport now(PeerHandle peer) {
    SharedPeerHealth health = peer.health();
    long word = health.word();
    return new HealthReport(
        HealthWord.state(word),
        HealthWord.failureRate(word),
        Duration.ofNanos(health.smoothedRttNs()),
        health.sinceNs(word));
  }

  /**
   * The health as it is when the stream begins, and each change from then on.
   *
   * @param peers gives what the application holds of the peer then
   */
  static Source<HealthReport, NotUsed> changes(Supplier<PeerHandle> peers) {
    return Source.<HealthReport>queue(WAITING_CHANGES, OverflowStrategy.dropHead())
        .mapMaterializedValue(
            queue -> {
              PeerHandle peer = peers.get();
              SharedPeerHealth health = peer.health();
              Newest newest = new Newest(peer, queue);
              HealthListener watcher = change -> newest.tell();
              health.watch(watcher);
              newest.tell();
              var _ =
                  queue.watchCompletion().whenComplete((done, failure) -> health.unwatch(watcher));
              peer.port().giveBack(new TaskSubmission(HIGHEST, peer.link()::onWatched));
              return NotUsed.getInstance();
            });
  }

  /** Offers what is so now, so that the last report of a stream is never an old one. Any thread. */
  private static final class Newest {
    private final PeerHandle peer;
    private final SourceQueueWithComplete<HealthReport> queue;
    private @Nullable HealthReport told;

    private Newest(PeerHandle peer, SourceQueueWithComplete<HealthReport> queue) {
      this.peer = peer;
      this.queue = queue;
    }

    private synchronized void tell() {
      HealthReport now = now(peer);
      if (told == null || told.state() != now.state() || told.sinceNs() != now.sinceNs()) {
        told = now;
        var _ = queue.offer(now);
      }
    }
  }
}
