package io.millrace.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.junit.jupiter.api.Test;

/**
 * The paths that a peer's owner opens, and the paths that the owner ends: rule L-3 on one worker.
 */
class PeerActorTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final String PEER = "10.0.0.1:1";
  private static final byte[] NO_CONTEXT = {};

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = lab.link(1);
  private final Handshakes handshakes = new Handshakes();
  private final BehaviorTestKit<PeerCommand> actor =
      BehaviorTestKit.create(PeerActor.create(lab.services, link, handshakes, () -> lab.nowNs));

  private static final class Handshakes implements HandshakePort {
    private final List<String> wanted = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private final Set<Long> secrets = new HashSet<>();
    private final List<PeerIncarnation> ended = new ArrayList<>();
    private PeerIncarnation newest = life(1);

    @Override
    public void connect(String identity, int worker) {
      wanted.add(identity);
    }

    @Override
    public void ask(String identity, int worker, long doubted) {
      asked.add(doubted);
    }

    @Override
    public void renew(String identity, int worker, long pathId, PeerIncarnation peer) {
      throw new AssertionError("a path of this test is never old");
    }

    @Override
    public void onSecret(long wireId, int worker, PeerIncarnation peer, long pathId) {
      secrets.add(wireId);
    }

    @Override
    public void onSecretGone(long wireId) {
      secrets.remove(wireId);
    }

    @Override
    public boolean isKnown(long wireId) {
      return secrets.contains(wireId);
    }

    @Override
    public void onPathEnded(String identity, PeerIncarnation peer) {
      ended.add(peer);
    }

    @Override
    public boolean isNewest(PeerIncarnation peer) {
      return peer.equals(newest) || !peer.identity().equals(newest.identity());
    }

    @Override
    public void onFenced(PeerIncarnation newest, int worker) {
      throw new AssertionError("the worker's actor says so");
    }

    @Override
    public void onNic(int worker, boolean isUp) {}

    @Override
    public void onWorkerEnded(int worker, WorkerEnd end) {
      throw new AssertionError("the worker's actor says so");
    }
  }

  private static PeerIncarnation life(long incarnation) {
    return new PeerIncarnation(PEER, incarnation);
  }

  private PathTerms open(int path, boolean initiator, PeerIncarnation peer) {
    PathTerms terms = WorkerLab.terms(path, initiator, WorkerLab.WINDOW_BYTES, peer);
    actor.run(new PeerCommand.OpenPath(terms));
    return terms;
  }

  private TestCall call() {
    TestCall call = new TestCall(link, ROUTE.id(), 8);
    link.onCall(call, lab.nowNs);
    return call;
  }

  @Test
  void shouldOpenSeveralPathsToTheSameLife() {
    open(1, true, life(1));
    open(2, false, life(1));
    assertEquals(2, lab.services.paths().size());
    assertEquals(List.of(life(1), life(1)), lab.services.paths().incarnations());
    assertEquals(List.of(), handshakes.ended);
  }

  @Test
  void shouldNotOpenAPathToALifeThatWasReplacedMeanwhileAndAskForAnother() {
    TestCall call = call();
    actor.run(new PeerCommand.WantPath());
    handshakes.newest = life(2);
    final long left = lab.services.context().terms().budget().leftBytes();

    PathTerms late = open(1, true, life(1));

    assertEquals(0, lab.services.paths().size());
    assertThrows(IllegalStateException.class, () -> late.secret().derive("l", NO_CONTEXT, 1));
    assertEquals(
        left + WorkerLab.WINDOW_BYTES, lab.services.context().terms().budget().leftBytes());
    assertEquals(List.of(life(1)), handshakes.ended);
    assertEquals(List.of(PEER, PEER), handshakes.wanted);
    assertNull(call.outcome);
    open(2, true, life(2));
    assertEquals(List.of(life(2)), lab.services.paths().incarnations());
    assertEquals(0, link.waitingCount());
  }

  @Test
  void shouldNotAskForAPathThatThePeerAskedFor() {
    handshakes.newest = life(2);
    open(1, false, life(1));
    assertEquals(0, lab.services.paths().size());
    assertEquals(List.of(), handshakes.wanted);
    assertEquals(List.of(life(1)), handshakes.ended);
  }

  @Test
  void shouldEndPathsToAnotherPeerThatAnsweredAtTheSameAddress() {
    open(1, true, life(1));
    TestCall call = call();
    open(2, true, new PeerIncarnation("10.0.0.7:1", 9));
    assertEquals(CallOutcome.PEER_RESET, call.outcome);
    assertEquals(List.of(life(1)), handshakes.ended);
    assertEquals(1, lab.services.paths().size());
  }

  @Test
  void shouldEndThePathsToFormerLivesWhenItsWorkerIsTold() {
    open(1, true, life(1));
    open(2, false, life(1));
    TestCall call = call();
    lab.services.paths().endFormer(life(2));
    assertEquals(CallOutcome.PEER_RESET, call.outcome);
    assertEquals(List.of(life(1), life(1)), handshakes.ended);
    assertEquals(0, lab.services.paths().size());
    assertNull(link.path());
  }
}
