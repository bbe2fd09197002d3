package io.millrace.api.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.CallException;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.codec.Codec;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three members of a Pekko Cluster, in JVMs of their own. The nodes wait 600 s for a silent peer,
 * so the cluster ends the transfers with a member that stands still.
 */
@ClusterTest(
    names = {"first", "second", "third"},
    heapMb = 192,
    limitSeconds = 60)
@Timeout(180)
class MillraceClusterTest {
  private static final Route<ByteString, ByteString> WHO =
      Route.of("who", Codec.bytes(), Codec.bytes());
  private static final Route<ByteString, ByteString> NEVER =
      Route.of("never", Codec.bytes(), Codec.bytes());
  private static final ByteString EMPTY = ByteString.emptyByteString();
  private static final String WORKER = "worker";

  private static Config config(String roles) {
    return ConfigFactory.parseString(
            """
            pekko {
              loglevel = WARNING
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              coordinated-shutdown.exit-jvm = off
              cluster {
                roles = [%s]
                gossip-interval = 200 ms
                leader-actions-interval = 200 ms
                unreachable-nodes-reaper-interval = 200 ms
                failure-detector {
                  heartbeat-interval = 200 ms
                  expected-response-after = 300 ms
                  acceptable-heartbeat-pause = 1 s
                }
                distributed-data { gossip-interval = 200 ms, notify-subscribers-interval = 100 ms }
                downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
                split-brain-resolver {
                  active-strategy = keep-oldest
                  keep-oldest.down-if-alone = off
                  stable-after = 500 ms
                }
              }
            }
            millrace.profile = dedicated
            millrace.recovery.fail-after = 600 s
            millrace.recovery.unanswered-probes = 1000
            millrace.recovery.keep-alive = 600 s
            millrace.recovery.health.degraded-timeout = 600 s
            """
                .formatted(roles))
        .withFallback(ConfigFactory.load());
  }

  /** A member and its node, until the test stops the member. */
  private static final class MemberSystem implements AutoCloseable {
    final ActorSystem<Void> system;
    final org.apache.pekko.cluster.typed.Cluster cluster;
    final Transport transport;
    final MillraceCluster millrace;

    MemberSystem(String role) {
      Config config = config(role);
      system = ActorSystem.create(Behaviors.empty(), "members", config);
      cluster = org.apache.pekko.cluster.typed.Cluster.get(system);
      transport =
          Transport.builder(TransportSettings.from(config).withPsk("0123456789abcdef".repeat(4)))
              .system(system)
              .start();
      millrace = MillraceCluster.get(system).start(transport);
    }

    /**
     * Joins by a discovery that fails at first, and then finds no address until the seed is there.
     */
    void joinBy(CompletableFuture<String> seed) {
      AtomicInteger lookups = new AtomicInteger();
      millrace.joinBy(
          () -> {
            if (lookups.getAndIncrement() == 0) {
              throw new IllegalStateException("the discovery is not there yet");
            }
            return CompletableFuture.completedFuture(
                seed.isDone() ? Set.of(AddressFromURIString.parse(seed.join())) : Set.of());
          },
          1);
    }

    String address() {
      return cluster.selfMember().address().toString();
    }

    @Override
    public void close() {
      transport.close();
      system.terminate();
    }
  }

  /** A worker with a route that answers with the worker's name, and a route that never answers. */
  record Worker() implements NodeProgram {
    @Override
    public void run(NodeHandle self) throws Exception {
      try (MemberSystem member = new MemberSystem(WORKER)) {
        member.transport.serve(
            WHO, _ -> CompletableFuture.completedFuture(ByteString.fromString(self.name())));
        member.transport.serve(NEVER, _ -> new CompletableFuture<ByteString>());
        CompletableFuture<String> seed = new CompletableFuture<>();
        member.joinBy(seed);
        seed.complete(self.await("seed"));
        self.awaitStop();
      }
    }
  }

  /** Calls by role, and reports the results to the test. */
  static void call(NodeHandle self) throws Exception {
    try (MemberSystem member = new MemberSystem("caller")) {
      assertThrows(IllegalStateException.class, () -> member.millrace.start(member.transport));
      member.joinBy(CompletableFuture.completedFuture(member.address()));
      self.publish("seed", member.address());
      LinkedBlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
      var _ =
          member
              .millrace
              .changes(WORKER)
              .map(List::size)
              .runWith(Sink.foreach(sizes::add), member.transport.materializer());

      awaitSize(sizes, 2);
      List<ClusterPeer> workers = member.millrace.peers(WORKER);
      assertEquals(2, workers.size());
      assertEquals(List.of(), member.millrace.peers("caller"), "it is no peer of its own");
      for (ClusterPeer worker : workers) {
        String name = text(worker.peer().unary(WHO, EMPTY).get(30, TimeUnit.SECONDS));
        CompletableFuture<ByteString> held = worker.peer().unary(NEVER, EMPTY);
        var _ = held.whenComplete((_, failure) -> tellEnd(self, member, worker, name, failure));
      }
      self.publish("all are called", "");

      awaitSize(sizes, 0);
      assertEquals(List.of(), member.millrace.peers());
      self.publish("none is left", "");
      self.awaitStop();
    }
  }

  private static void tellEnd(
      NodeHandle self, MemberSystem member, ClusterPeer worker, String name, Throwable failure) {
    CallException end = (CallException) failure;
    boolean isGone = member.millrace.peers().stream().noneMatch(worker::equals);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                self.publish(
                    "end of " + name,
                    end.outcome()
                        + " "
                        + isGone
                        + " "
                        + worker.peer().health().state()
                        + " "
                        + end.getMessage());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void awaitSize(LinkedBlockingQueue<Integer> sizes, int wanted)
      throws InterruptedException {
    Integer size;
    do {
      size = sizes.poll(50, TimeUnit.SECONDS);
      assertTrue(size != null, "there are never " + wanted);
    } while (size != wanted);
  }

  private static String text(ByteString bytes) {
    return bytes.decodeString(UTF_8);
  }

  @Test
  void shouldEndWhatIsUnderWayWithAMemberThatTheClusterDowned(Cluster cluster) throws Exception {
    cluster.node("first").run(MillraceClusterTest::call);
    cluster.node("second").run(new Worker());
    cluster.node("third").run(new Worker());
    cluster.await("all are called");

    // The member is silent, and only the cluster reports its end.
    ClusterNode third = cluster.node("third");
    third.pause();
    // kill -9: either the host refuses packets first, or the cluster downs the member first.
    cluster.node("second").kill();
    String told = cluster.await("end of third");
    String second = cluster.await("end of second");
    cluster.await("none is left");
    String expected = CallOutcome.PEER_UNRESPONSIVE + " true " + PeerHealth.FAILED + " ";
    assertTrue(told.startsWith(expected), told);
    assertTrue(told.contains("was given up: the cluster has downed the member"), told);
    third.kill();
    assertTrue(second.startsWith(CallOutcome.PEER_UNRESPONSIVE + " "), second);
    assertEquals("", cluster.node("first").stop());
  }
}
