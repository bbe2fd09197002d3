package io.millrace.fuzz;

import io.millrace.crypto.AeadProviders;
import io.millrace.driver.DriverException;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.peer.WriteFrames;
import io.millrace.path.stream.StreamCall;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A worker that serves every pattern and has a call, a body and a stream of its own under way with
 * a peer. The peer then sends the frames of an input. The worker is the same for all inputs, the
 * path is not: an input finds the traces of earlier inputs on the worker.
 */
final class PeerStage {
  static final RouteId ECHO = RouteId.of("echo");
  static final RouteId STORE = RouteId.of("store");
  static final RouteId TAKE = RouteId.of("take");

  private static final int K64 = 64 << 10;
  private static final int BODY_BYTES = 100_000;
  private static final long STEP_NS = 100_000;
  private static final long MS = 1_000_000;
  private static final long SETTLING_MS = 20_000;
  private static final int MOST_SENT = 4_096;
  private static final String SETTINGS =
      """
      millrace.regions.sizes = [256 KiB]
      millrace.regions.counts = [8]
      millrace.streams { window-bytes = 16 KiB, budget = 512 KiB }
      millrace.transfers { message = 256 KiB, assembly = 1 MiB }
      """;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), SETTINGS, AeadProviders.discover().select(0));
  private final PeerLink link = lab.link(1);
  private final RegionPool pool = lab.services.regions().pool();
  private final List<StreamOffer> offers = new ArrayList<>();

  /** The buffers that the worker reserves for urgent packets. */
  private final int reservedBuffers;

  private long violations;
  private long packets;

  PeerStage() {
    lab.routes.add(
        ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    lab.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) ->
            CompletableFuture.completedFuture(new Nowhere()));
    lab.routes.add(TAKE, StreamPattern.BIDIRECTIONAL, offers::add);
    lab.turns(2, STEP_NS);
    reservedBuffers = lab.endpoint.buffersMissing();
  }

  /** The worker under test. */
  WorkerLab lab() {
    return lab;
  }

  /** The number of packets sent by peers so far. */
  long packets() {
    return packets;
  }

  /** The number of paths that ended because their peer broke the protocol. */
  long violations() {
    return violations;
  }

  /** Plays an input, then closes the path; throws at every violated condition. */
  void play(byte[] input) throws DriverException {
    FarSide far = new FarSide(1, false);
    long before = lab.services.context().counters().protocolViolations;
    PeerPath path = lab.open(link, 1, true);
    begin();
    arrive(far.packet(WriteFrames.request(1, 3, K64, K64)));
    ReceiveRegion granted = granted(path);
    for (PeerInput.Step step : PeerInput.steps(input)) {
      if (step instanceof PeerInput.Step.Time time) {
        lab.turns(2, time.ms() * MS);
      } else {
        arrive(PeerInput.datagram(far, withGranted(step, granted)));
      }
      takeElements();
      check();
    }
    end(path, far);
    long ended = lab.services.context().counters().protocolViolations - before;
    require(ended <= 1, "one path ended by " + ended + " violations");
    violations += ended;
  }

  /** Begins this node's transfers ahead of the peer's input. */
  private void begin() {
    link.onCall(new TestCall(link, ECHO.id(), 100), lab.nowNs);
    link.onCall(new TestCall(link, ECHO.id(), BODY_BYTES), lab.nowNs);
    link.onCall(
        new StreamCall(
            link,
            lab.handle(link).port(),
            StreamPattern.BIDIRECTIONAL,
            new StreamCall.Opening(TAKE.id(), 3, new byte[0], new byte[0]),
            lab.services.context().settings()),
        lab.nowNs);
    lab.turns(2, STEP_NS);
  }

  private void arrive(byte[] datagram) {
    packets++;
    lab.endpoint.arrivals.add(datagram);
    lab.turns(1, STEP_NS);
    while (lab.endpoint.sent.size() > MOST_SENT) {
      lab.endpoint.sent.remove();
    }
  }

  private @Nullable ReceiveRegion granted(PeerPath path) {
    for (int i = 0; i < pool.regionCount(); i++) {
      if (pool.region(i).holder() == path.regions().holder()) {
        return pool.region(i);
      }
    }
    return null;
  }

  private static PeerInput.Step withGranted(PeerInput.Step step, @Nullable ReceiveRegion region) {
    if (region != null) {
      switch (step) {
        case PeerInput.Step.Body packet -> fill(packet.body(), region);
        case PeerInput.Step.Chunks chunks -> fill(chunks.frames(), region);
        case PeerInput.Step.Retirement _, PeerInput.Step.Time _ -> {}
      }
    }
    return step;
  }

  private static void fill(byte[] frames, ReceiveRegion region) {
    ByteBuffer view = ByteBuffer.wrap(frames).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + Integer.BYTES <= frames.length; at++) {
      if (view.getInt(at) == PeerInput.GRANTED_REGION) {
        view.putInt(at, region.index());
      } else if (at + Long.BYTES <= frames.length && view.getLong(at) == PeerInput.GRANTED_KEY) {
        view.putLong(at, region.key());
      }
    }
  }

  private void takeElements() {
    for (StreamOffer offer : offers) {
      while (offer.stream().inlet().poll() != null) {
        // An application that takes all available elements.
      }
    }
  }

  private void check() {
    if (!lab.faults.isEmpty()) {
      throw new AssertionError("an exception reached the worker", lab.faults.getFirst());
    }
  }

  /** Ends the path, and checks that all memory of the path comes back. */
  private void end(PeerPath path, FarSide far) {
    if (!path.packets().isEnded()) {
      arrive(far.packet(FarSide.close()));
    }
    require(path.packets().isEnded(), "the path did not end");
    lab.turns(2, STEP_NS);
    for (int ms = 0; ms < SETTLING_MS && isSomethingHeld(path); ms += 100) {
      lab.turns(1, 100 * MS);
    }
    check();
    require(granted(path) == null, "a region is still held");
    require(lab.services.elements().waiting().usedBytes() == 0, "elements are still held");
    require(lab.services.context().bodies().assembly().usedBytes() == 0, "bytes are still held");
    int missing = lab.endpoint.buffersMissing() - reservedBuffers;
    require(missing == 0, missing + " send buffers are missing");
    require(lab.services.paths().size() == 0, "a path is still there");
    lab.endpoint.sent.clear();
    lab.ended.clear();
    offers.clear();
  }

  private boolean isSomethingHeld(PeerPath path) {
    return granted(path) != null
        || lab.services.elements().waiting().usedBytes() != 0
        || lab.services.context().bodies().assembly().usedBytes() != 0;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] from, int offset, int length) {
      // The bytes are verified, and have no reader.
    }

    @Override
    public void complete() {
      // Nothing to keep.
    }

    @Override
    public void abort(Throwable cause) {
      // Nothing to undo.
    }
  }
}
