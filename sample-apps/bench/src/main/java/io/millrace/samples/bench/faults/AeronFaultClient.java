package io.millrace.samples.bench.faults;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Calls over Aeron as an application would write the calls. The client offers again while there is
 * back pressure, gives a call up after the deadline, and gives all calls up when the image of the
 * answers is gone.
 */
final class AeronFaultClient implements FaultClient {
  private static final int FRAGMENTS = 64;
  private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long CONNECT_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);

  private final AeronFaultNode node;
  private final ExclusivePublication requests;
  private final Subscription responses;
  private final ConcurrentLinkedQueue<Call> begun = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();
  private final FragmentHandler onResponse = this::onResponse;
  private final Map<Long, Call> open = new LinkedHashMap<>();
  private @Nullable Call waiting;
  private long lastId;
  private volatile boolean isImageLost;

  private record Call(byte[] request, long deadlineNs, Ending ending) {}

  AeronFaultClient(FaultSite site) {
    node = new AeronFaultNode(site);
    responses =
        node.aeron()
            .addSubscription(
                AeronFaultNode.responses(site),
                AeronFaultNode.RESPONSE_STREAM,
                image -> tell("the image of answers is there"),
                image -> {
                  tell("the image of answers is gone");
                  isImageLost = true;
                });
    requests =
        node.aeron()
            .addExclusivePublication(AeronFaultNode.requests(site), AeronFaultNode.REQUEST_STREAM);
  }

  @Override
  public void connect() throws IOException {
    long giveUpNs = System.nanoTime() + CONNECT_NS;
    while (!requests.isConnected() || !responses.isConnected()) {
      if (System.nanoTime() - giveUpNs > 0) {
        throw new IOException("no connection");
      }
      LockSupport.parkNanos(CONNECT_POLL_NS);
    }
    Thread.ofPlatform().daemon().name("faults-aeron").start(this::run);
  }

  @Override
  public void call(byte[] request, Ending ending) {
    begun.add(new Call(request, System.nanoTime() + DEADLINE_NS, ending));
  }

  @Override
  public List<Told> told() {
    return List.copyOf(told);
  }

  private void tell(String what) {
    told.add(new Told(System.nanoTime(), what));
  }

  private void run() {
    BackoffIdleStrategy idle = new BackoffIdleStrategy();
    boolean wasConnected = true;
    while (true) {
      idle.idle(responses.poll(onResponse, FRAGMENTS) + send());
      expire();
      if (requests.isConnected() != wasConnected) {
        wasConnected = !wasConnected;
        tell("the publication is " + (wasConnected ? "connected" : "not connected"));
      }
    }
  }

  private int send() {
    int sent = 0;
    while (offer()) {
      sent++;
    }
    return sent;
  }

  private boolean offer() {
    Call call = waiting == null ? begun.poll() : waiting;
    waiting = null;
    if (call == null) {
      return false;
    }
    long id = ++lastId;
    UnsafeBuffer message =
        new UnsafeBuffer(new byte[AeronFaultNode.HEAD_BYTES + call.request().length]);
    message.putLong(0, id);
    message.putBytes(AeronFaultNode.HEAD_BYTES, call.request());
    long position = requests.offer(message);
    if (position >= 0) {
      open.put(id, call);
      return true;
    }
    if (position == Publication.BACK_PRESSURED || position == Publication.ADMIN_ACTION) {
      waiting = call;
      return false;
    }
    call.ending().onEnd(Publication.errorString(position) + ": the offer was refused");
    return true;
  }

  private void onResponse(DirectBuffer buffer, int offset, int length, Header header) {
    Call call = open.remove(buffer.getLong(offset));
    if (call != null) {
      call.ending().onEnd("");
    }
  }

  private void expire() {
    if (isImageLost) {
      isImageLost = false;
      open.values().forEach(call -> call.ending().onEnd("IMAGE_LOST: no answers can come"));
      open.clear();
    }
    long nowNs = System.nanoTime();
    while (!open.isEmpty()) {
      Map.Entry<Long, Call> oldest = open.entrySet().iterator().next();
      if (nowNs - oldest.getValue().deadlineNs() < 0) {
        break;
      }
      open.remove(oldest.getKey());
      oldest.getValue().ending().onEnd("EXPIRED: the application's own deadline");
    }
    Call next = waiting;
    if (next != null && nowNs - next.deadlineNs() >= 0) {
      waiting = null;
      next.ending().onEnd("BACK_PRESSURED: until the application's own deadline");
    }
  }
}
