package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.VirtualTime;
import org.jspecify.annotations.Nullable;

/**
 * The way from an interface to another interface, in one direction. Its settings may change during
 * the run; new settings hold for datagrams sent from then on. Thread of the simulation.
 */
public final class SimLink implements Packet.Way {
  private final NetworkRun run;
  private final VirtualTime time;
  private final SimNic sender;
  private final SimNic receiver;
  private final long key;
  private final LinkFaults faults;
  private final RateQueue queue;
  private final FlowPolicer policer;
  private LinkSettings settings;
  private boolean cut;
  private long clogUntilNs;
  private long ordinals;
  private long lastArrivalNs = Long.MIN_VALUE;
  private long lastReleaseNs = Long.MIN_VALUE;

  SimLink(NetworkRun run, VirtualTime time, SimNic sender, SimNic receiver) {
    this.run = run;
    this.time = time;
    this.sender = sender;
    this.receiver = receiver;
    this.key = key(sender.key(), receiver.key());
    this.faults = new LinkFaults(run, key);
    this.settings = run.settings().link();
    this.queue = new RateQueue(settings.rate());
    this.policer = new FlowPolicer(settings.policer());
  }

  static long key(long sender, long receiver) {
    return sender << SimAddress.NIC_BITS | receiver;
  }

  /**
   * The link as a number: sender's node (16 bits) and interface (8), and the receiver's node and
   * interface likewise.
   */
  @Override
  public long key() {
    return key;
  }

  /** The present treatment of datagrams. */
  public LinkSettings settings() {
    return settings;
  }

  /** Changes the treatment of datagrams. */
  public void settings(LinkSettings other) {
    if (!other.policer().equals(settings.policer())) {
      policer.settings(other.policer());
    }
    queue.settings(other.rate());
    settings = other;
  }

  /** Cuts the link: nothing passes any more, and datagrams on their way are lost too. */
  public void cut() {
    cut = true;
  }

  /** Heals the link: everything passes again. */
  public void heal() {
    cut = false;
    clogUntilNs = 0;
  }

  /** Whether the link is cut. */
  public boolean isCut() {
    return cut;
  }

  /** Whether the link holds back arrivals now. */
  public boolean isClogged() {
    return time.nowNs() < clogUntilNs;
  }

  /** Holds back arrivals before {@code untilNs} until then, in order. */
  public void clog(long untilNs) {
    clogUntilNs = untilNs;
  }

  /** Number of datagrams sent over this link. */
  public long sent() {
    return ordinals;
  }

  @Override
  public VirtualTime time() {
    return time;
  }

  @Override
  public SimAddress source(int port) {
    return sender.address(port);
  }

  @Override
  public SimAddress destination(int port) {
    return receiver.address(port);
  }

  SimNic sender() {
    return sender;
  }

  SimNic receiver() {
    return receiver;
  }

  /** Sends a datagram to the other end. Returns the time when its last byte leaves the sender. */
  long send(Packet packet) {
    long nowNs = time.nowNs();
    packet.onSent(ordinals++, nowNs);
    packet.notes(run.notes().of(sender.node(), packet.bytes(), packet.length()));
    run.onSent(packet);
    if (!sender.isUp()) {
      run.lose(packet, LossReason.NIC_DOWN);
      return nowNs;
    }
    long departureNs = sender.egress().admit(packet, nowNs);
    if (departureNs == RateQueue.FULL) {
      run.lose(packet, LossReason.EGRESS_QUEUE);
      return nowNs;
    }
    transmit(packet, departureNs);
    return departureNs;
  }

  private void transmit(Packet packet, long departureNs) {
    Verdict verdict = run.verdict(packet);
    LossReason reason = refusal(packet, verdict, departureNs);
    if (reason == LossReason.TOO_LARGE && settings.reportsTooLarge()) {
      run.onLost(packet, reason);
      report(packet, Packet.Step.REPORT_TOO_LARGE);
    } else if (reason != null) {
      run.lose(packet, reason);
    } else {
      carry(packet, verdict, departureNs);
    }
  }

  private @Nullable LossReason refusal(Packet packet, Verdict verdict, long departureNs) {
    // Asked first: a burst must begin whatever other fault the datagram meets.
    LossReason loss = faults.lossOf(packet, settings.loss());
    if (packet.length() > settings.mtuBytes()) {
      return LossReason.TOO_LARGE;
    }
    if (cut) {
      return LossReason.PARTITION;
    }
    if (verdict instanceof Verdict.Drop) {
      return LossReason.DIRECTED;
    }
    return loss != null || policer.admits(packet, departureNs) ? loss : LossReason.POLICER;
  }

  private void carry(Packet packet, Verdict verdict, long departureNs) {
    long leftNs = queue.admit(packet, departureNs);
    if (leftNs == RateQueue.FULL) {
      run.lose(packet, LossReason.LINK_QUEUE);
      return;
    }
    long arrivalNs = arrivalNs(packet, leftNs);
    if (verdict instanceof Verdict.Duplicate || faults.duplicates(packet, settings.damage())) {
      Packet copy = run.acquire(this, packet.sourcePort(), packet.destinationPort());
      run.counters().duplicated++;
      long copyNs = arrivalNs + faults.secondCopyNs(packet, settings.damage());
      copy.fillFrom(packet).schedule(Packet.Step.ARRIVE, copyNs);
    }
    if (verdict instanceof Verdict.Again again) {
      Packet copy = run.acquire(this, packet.sourcePort(), packet.destinationPort());
      run.counters().duplicated++;
      copy.fillFrom(packet).schedule(Packet.Step.ARRIVE, arrivalNs + again.laterNs());
    }
    faults.damage(packet, settings.damage());
    if (verdict instanceof Verdict.Corrupt && packet.length() > 0) {
      faults.corrupt(packet);
    }
    long directedNs = verdict instanceof Verdict.Delay delay ? delay.delayNs() : 0;
    long lateNs = directedNs + faults.overtakenNs(packet, settings.damage());
    packet.schedule(Packet.Step.ARRIVE, arrivalNs + lateNs);
  }

  private long arrivalNs(Packet packet, long leftNs) {
    long arrivalNs = leftNs + faults.delayNs(packet, settings.delay());
    if (settings.delay().inOrder()) {
      // Never at the same instant: events of the same instant come in random order.
      arrivalNs = Math.max(arrivalNs, lastArrivalNs + 1);
      lastArrivalNs = arrivalNs;
    }
    return arrivalNs;
  }

  @Override
  public void onStep(Packet packet, Packet.Step step) {
    switch (step) {
      case ARRIVE -> onArrival(packet);
      case LEAVE_QUEUE -> receiver.deliver(packet);
      case REPORT_UNREACHABLE, REPORT_TOO_LARGE -> onReport(packet, step);
    }
  }

  private void onArrival(Packet packet) {
    long nowNs = time.nowNs();
    if (cut) {
      run.lose(packet, LossReason.PARTITION);
    } else if (nowNs < clogUntilNs) {
      lastReleaseNs = Math.max(clogUntilNs, lastReleaseNs + 1);
      packet.schedule(Packet.Step.ARRIVE, lastReleaseNs);
    } else {
      receiver.onArrival(packet, nowNs);
    }
  }

  /** The news takes as long as a datagram without jitter. */
  @Override
  public void report(Packet packet, Packet.Step news) {
    packet.schedule(news, time.nowNs() + settings.delay().fixedNs());
  }

  private void onReport(Packet packet, Packet.Step news) {
    SimLink back = receiver.linkTo(sender);
    SimPort port = sender.isUp() && !back.cut ? sender.port(packet.sourcePort()) : null;
    if (port != null) {
      long destination = receiver.key() << SimAddress.PORT_BITS | packet.destinationPort();
      if (news == Packet.Step.REPORT_UNREACHABLE) {
        port.onUnreachable(destination, packet);
      } else {
        port.onTooLarge(destination, settings.mtuBytes());
      }
    }
    run.recycle(packet);
  }
}
