package io.millrace.testkit.internal.fabric;

import io.millrace.driver.EndpointAddress;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.sim.RetrySettings;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way, pooled. The hardware retransmits the message until the message arrives or
 * its receiver counts as dead. Without a buffer at the receiver the hardware repeats a few times,
 * then the driver, after the back-off from the destination.
 */
final class FabricMessage implements PacketView, Runnable, FabricDestination.Operation {
  private final SimFabric fabric;
  private final SegmentBuffer bytes = new SegmentBuffer(0, 0);
  private SimFabricEndpoint sender;
  private FabricDestination destination;
  private FabricLink link;
  private byte[] array = new byte[0];
  private long ordinal;
  private long departureNs;
  private List<FrameNote> notes = List.of();
  private Verdict verdict = Verdict.PASS;
  private int attempts;
  private int refusals;
  private boolean isRepeated;
  private final Runnable entry = this::enter;

  FabricMessage(SimFabricEndpoint sender, FabricDestination destination) {
    fabric = sender.fabric();
    this.sender = sender;
    this.destination = destination;
    link = destination.link();
  }

  /** Prepares a pooled message for a new send. */
  FabricMessage use(SimFabricEndpoint from, FabricDestination to) {
    sender = from;
    destination = to;
    link = to.link();
    attempts = 0;
    refusals = 0;
    isRepeated = false;
    return this;
  }

  /** Sends these bytes; returns when the last byte has left. */
  long send(DirectBuffer buffer, int offset, int length) {
    if (array.length < length) {
      array = new byte[Integer.highestOneBit(length) << 1];
    }
    buffer.getBytes(offset, array, 0, length);
    bytes.wrap(array, 0, length);
    ordinal = link.nextOrdinal();
    departureNs = link.departureNs(length);
    notes = fabric.network().notes().of(link.sender().node(), bytes, length);
    fabric.counters().messages++;
    fabric.onSent(this);
    verdict = fabric.network().planned(this);
    if (destination.mustWait()) {
      destination.queue(this);
    } else {
      depart();
    }
    return departureNs;
  }

  private void depart() {
    travel(departureNs + (verdict instanceof Verdict.Delay delay ? delay.delayNs() : 0));
  }

  @Override
  public void repeat() {
    departureNs = Math.max(departureNs, link.time().nowNs());
    fabric.counters().notReadyRepeats += isRepeated ? 1 : 0;
    depart();
  }

  @Override
  public void giveUp(boolean isReady) {
    if (isReady) {
      sender.onUnreachable(destination.number());
    }
    lose(LossReason.RECEIVE_RING);
  }

  private void travel(long fromNs) {
    long attempt = FabricLink.attempt(ordinal, 0, attempts);
    link.time().at(fromNs + link.travelNs(attempt), this);
  }

  @Override
  public void run() {
    long nowNs = link.time().nowNs();
    if (sender.crashedNs() < departureNs) {
      lose(LossReason.NO_ENDPOINT);
    } else if (verdict instanceof Verdict.Drop) {
      lose(LossReason.DIRECTED);
    } else if (isRefused() || link.loses(FabricLink.attempt(ordinal, 0, attempts))) {
      again(nowNs, LossReason.PARTITION);
    } else {
      link.enter(bytes.capacity(), entry);
    }
  }

  private void enter() {
    arrive(fabric.endpoint(destination.address()), link.time().nowNs());
  }

  /** The hardware notices damage, and sends the message again. */
  private boolean isRefused() {
    return verdict instanceof Verdict.Corrupt && attempts == 0;
  }

  private void arrive(@Nullable SimFabricEndpoint to, long nowNs) {
    if (to == null) {
      again(nowNs, LossReason.NO_ENDPOINT);
    } else if (bytes.capacity() > to.capabilities().maxDatagramBytes()) {
      to.counters().oversizedDrops++;
      lose(LossReason.OVERSIZED);
    } else if (to.hasRoom()) {
      fabric.counters().messagesDelivered++;
      fabric.onDelivered(this);
      destination.onSuccess();
      to.onMessage(this);
    } else {
      fabric.counters().receiverNotReady++;
      if (refusals++ < fabric.settings().retry().rnrRetries()) {
        attempts++;
        travel(nowNs + fabric.settings().retry().rnrDelayNs());
      } else {
        boolean wasRepeated = isRepeated;
        isRepeated = true;
        refusals = 0;
        destination.onNotReady(this, wasRepeated);
      }
    }
  }

  private void again(long nowNs, LossReason reason) {
    RetrySettings retry = fabric.settings().retry();
    if (nowNs - departureNs >= retry.deadAfterNs()) {
      sender.onUnreachable(destination.number());
      lose(reason);
    } else {
      fabric.counters().retries++;
      attempts++;
      travel(nowNs + retry.retryNs());
    }
  }

  private void lose(LossReason reason) {
    fabric.counters().messagesLost++;
    fabric.onLost(this, reason);
    fabric.recycle(this);
  }

  /** The destination of an answer. */
  EndpointAddress senderAddress() {
    return sender.fabric().endpointAddress(sender.address());
  }

  @Override
  public SimAddress source() {
    return link.sender().address(SimFabric.port(sender.address()));
  }

  @Override
  public SimAddress destination() {
    return link.receiver().address(SimFabric.port(destination.address()));
  }

  @Override
  public long link() {
    return link.key();
  }

  @Override
  public long ordinal() {
    return ordinal;
  }

  @Override
  public long sentNs() {
    return departureNs;
  }

  @Override
  public DirectBuffer bytes() {
    return bytes;
  }

  @Override
  public int length() {
    return bytes.capacity();
  }

  @Override
  public int ecn() {
    return 0;
  }

  @Override
  public boolean isDuplicate() {
    return false;
  }

  @Override
  public boolean isDamaged() {
    return false;
  }

  @Override
  public List<FrameNote> notes() {
    return notes;
  }
}
