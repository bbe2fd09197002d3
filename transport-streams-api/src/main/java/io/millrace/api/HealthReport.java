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
 * @param state the state of the peer's health
 * @param failureRate the share of recent packets to the peer that failed, 0 to 1
 * @param smoothedRtt the last known round trip of the peer; zero if unknown
 * @param sinceNs the begin of this state, by {@link System#nanoTime}; 0 without an observation
 */
public record HealthReport(
    PeerHealth state, double failureRate, Duration smoothedRtt, long sinceNs) {
  /**
   * The number of changes that may wait for a slow stream; beyond this number the stream drops the
   * oldest changes.
   */
  private static final int WAITING_CHANGES = 16;

  private static final int HIGHEST = 0;

  /** Returns the present health of a peer. Any thread. */
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
   * Streams the health of a peer: first the health when the stream begins, then each change.
   *
   * @param peers supplies the application's handle of the peer when the stream begins
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

  /** Offers the present health, so the last report of a stream is never outdated. Any thread. */
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
