package io.millrace.samples.bench.millrace;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.WorkerCompletion;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Completes calls and begins the following calls on the worker, which the duty thread drives. */
final class MillraceUnaryClient implements BenchClient, DutyThread.Duty, WorkerCompletion {
  private static final int SLOT_MASK = 0xFFFF;

  private final MillraceNode node;
  private final Peer peer;
  private final CompletableFuture<Void> connected;
  private final DutyThread thread;
  private final List<ByteString> requests = new ArrayList<>();
  private final List<SegmentBuffer> payloads = new ArrayList<>();
  private volatile @Nullable CallLoop loop;
  private @Nullable CallLoop prepared;

  MillraceUnaryClient(PeerSite site, int datagramBytes, String address)
      throws IOException, CertificatesException {
    node = new MillraceNode(site, datagramBytes);
    peer = node.transport().peer(address);
    connected = peer.connect();
    thread = new DutyThread("millrace-duty", this, site.gate());
    thread.start();
  }

  @Override
  public void start(CallLoop next) {
    loop = next;
  }

  @Override
  public void start(BulkLoop bulk) {
    loop = null;
    new MillraceBulkSender(peer, bulk).start();
  }

  @Override
  public void turn() {
    CallLoop current = loop;
    if (current != null) {
      send(current);
    }
    node.turn();
  }

  @Override
  public void slowTurn() {
    node.turn();
  }

  @Override
  public boolean isConnected() {
    return connected.isDone();
  }

  @Override
  public void onEnd() {
    node.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  @Override
  public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
    CallLoop current = loop;
    if (current != null) {
      current.onResponse(
          payloadLength,
          buffer.getLong(payloadOffset),
          buffer.getLong(payloadOffset + payloadLength - Long.BYTES));
      send(current);
    }
  }

  @Override
  public void onFailure(CallException failure) {
    CallLoop current = loop;
    if (current != null) {
      System.err.println(failure.getMessage());
      current.onFailure();
    }
  }

  private void send(CallLoop current) {
    if (current != prepared) {
      prepared = current;
      requests.clear();
      payloads.clear();
    }
    while (current.canBegin()) {
      long id = current.begin();
      int slot = (int) id & SLOT_MASK;
      prepare(slot, current.payloadBytes());
      SegmentBuffer payload = payloads.get(slot);
      payload.putLong(0, id);
      payload.putLong(payload.capacity() - Long.BYTES, CallLoop.tail(id));
      peer.unaryOnWorker(MillraceNode.ECHO, requests.get(slot), TransferOptions.DEFAULTS, this);
    }
  }

  /** The bytes of a slot are free again after the slot's call, so each slot keeps its request. */
  private void prepare(int slot, int payloadBytes) {
    while (requests.size() <= slot) {
      byte[] bytes = new byte[payloadBytes];
      System.arraycopy(CallLoop.FILLER, 0, bytes, Long.BYTES, payloadBytes - 2 * Long.BYTES);
      payloads.add(new SegmentBuffer(bytes));
      requests.add(ByteString.fromArrayUnsafe(bytes));
    }
  }
}
