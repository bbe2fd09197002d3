package io.millrace.samples.bench.floor;

import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.samples.bench.floor.FloorFrame.Counted;
import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.Piece;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Measures the floor in either way; a whole round runs within a single turn of the duty thread. */
final class FloorClient implements BenchClient, DutyThread.Duty {
  private static final long VERIFIED_BYTES = 16L << 20;

  private final Endpoint endpoint;
  private final boolean pipelined;
  private final FloorSender sender;
  private final AtomicReference<@Nullable BulkLoop> next = new AtomicReference<>();
  private final DutyThread thread;

  FloorClient(PeerSite site, String address, boolean pipelined) throws DriverException {
    this.pipelined = pipelined;
    endpoint = FloorNode.open(site);
    sender = new FloorSender(endpoint, endpoint.resolve(FloorNode.address(address)));
    thread = new DutyThread("floor-duty", this, site.gate());
    thread.start();
  }

  @Override
  public void start(BulkLoop loop) {
    next.set(loop);
  }

  @Override
  public void turn() {
    BulkLoop loop = next.getAndSet(null);
    if (loop == null) {
      endpoint.poll(sender, 1);
      return;
    }
    try {
      run(loop);
    } catch (IllegalStateException e) {
      loop.onFailure(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void slowTurn() {
    endpoint.poll(sender, 1);
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public void onEnd() {
    endpoint.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  private void run(BulkLoop loop) {
    if (loop.isVerifying()) {
      verify(loop);
    } else if (pipelined) {
      measure(loop);
    } else {
      compute(loop);
    }
  }

  /** The server verifies every tag anyway; in this loop no tag may be missing. */
  private void verify(BulkLoop loop) {
    long startNs = System.nanoTime();
    sender.send(FloorFrame.RECORDS, loop.datagramBytes(), Long.MAX_VALUE, VERIFIED_BYTES);
    Counted counted = sender.counted();
    boolean right =
        counted.bad() == 0
            && counted.bytes() == sender.sentBytes()
            && counted.opened() >= VERIFIED_BYTES / FloorCipher.SEALED_BYTES - 1;
    loop.onMeasured(openedBytes(counted), System.nanoTime() - startNs, right, List.of());
  }

  private void measure(BulkLoop loop) {
    long startNs = System.nanoTime();
    sender.send(FloorFrame.RECORDS, loop.datagramBytes(), loop.durationNs(), Long.MAX_VALUE);
    long elapsedNs = System.nanoTime() - startNs;
    Counted counted = sender.counted();
    double bytes = Math.max(1, openedBytes(counted));
    List<Piece> pieces =
        List.of(
            new Piece("seal", sender.sealNs() / bytes),
            new Piece("send", sender.sendNs() / bytes),
            new Piece("receive", counted.receiveNs() / bytes),
            new Piece("open", counted.openNs() / bytes));
    loop.onMeasured(openedBytes(counted), elapsedNs, counted.bad() == 0, pieces);
  }

  private void compute(BulkLoop loop) {
    long halfNs = loop.durationNs() / 2;
    long startNs = System.nanoTime();
    sender.startOpening(halfNs);
    double seal = sender.sealAlone(halfNs);
    sender.awaitOpened();
    Counted alone = sender.counted();
    double open = (double) alone.openNs() / Math.max(1, openedBytes(alone));
    sender.send(FloorFrame.RAW, loop.datagramBytes(), halfNs, Long.MAX_VALUE);
    Counted counted = sender.counted();
    double send = (double) sender.sendNs() / Math.max(1, sender.sentBytes());
    double receive = (double) counted.receiveNs() / Math.max(1, counted.bytes());
    long elapsedNs = System.nanoTime() - startNs;
    List<Piece> pieces =
        List.of(
            new Piece("seal", seal),
            new Piece("send", send),
            new Piece("receive", receive),
            new Piece("open", open));
    double nsPerByte = Math.max(seal + send, receive + open);
    loop.onMeasured(Math.round(elapsedNs / nsPerByte), elapsedNs, counted.bytes() > 0, pieces);
  }

  private static long openedBytes(Counted counted) {
    return counted.opened() * FloorCipher.RECORD_BYTES;
  }
}
