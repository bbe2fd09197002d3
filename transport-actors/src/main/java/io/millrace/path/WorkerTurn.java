package io.millrace.path;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.HoldCause;
import io.millrace.ends.SubmissionRings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerSchedule;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.WorkerServices;
import io.millrace.path.slot.PathSlots;
import io.millrace.path.slot.WorkerSlots;
import io.millrace.protocol.schedule.Schedulable;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.agrona.collections.IntArrayList;

/**
 * The turn of a worker's paths: the single order in which the paths are looked at.
 *
 * <ul>
 *   <li><b>Inputs</b>: after {@link #begin} the datagrams and completions of the network, through
 *       the methods of {@link CompletionHandler}; in {@link #run} the submissions of applications,
 *       from the rings.
 *   <li><b>Commands</b>: between turns, from the actors, straight to the paths; ahead of each
 *       command the actor tells {@link WorkerTime#onTurn} the time.
 *   <li><b>Outputs</b>: packets and writes posted to the endpoints, flushed by the caller after a
 *       turn of work; completions in their places; events.
 *   <li><b>When again</b>: at once while a turn did work or {@link #hasWork}, else at {@link
 *       #nextDeadlineNs} or at the next arrival.
 *   <li><b>Time</b> comes in with {@code begin}, and with commands, and never goes back.
 * </ul>
 *
 * An exception in the handling of one peer is kept to this peer. On one thread; does not allocate.
 */
public final class WorkerTurn implements CompletionHandler {
  /**
   * The most paths without a buffer before the turn ends; other paths may have a buffer of another
   * NIC.
   */
  private static final int MOST_STALLED = 8;

  /** So many frames of a path do not wait for the end of the network's poll. */
  private static final int FRAMES_AHEAD = 64;

  private final WorkerServices services;
  private final SubmissionRings rings;
  private final Consumer<Throwable> onFault;
  private final PathNetwork network;
  private final WorkerTime time;
  private final WorkerSchedule schedule;
  private final int submissionLimit;

  /** The stalled paths of this turn, with the level of each. */
  private final ArrayList<Schedulable<WorkerSchedule.Sender>> stalled = new ArrayList<>();

  private final IntArrayList stalledLevels = new IntArrayList();
  private int submissionsLeft;
  private long nowNs;
  private boolean touched;

  /**
   * Turns over the worker's services.
   *
   * @param onFault told of an exception in a submission of no peer
   */
  public WorkerTurn(WorkerServices services, SubmissionRings rings, Consumer<Throwable> onFault) {
    this.services = services;
    this.rings = rings;
    this.onFault = onFault;
    WorkerContext context = services.context();
    network = services.network();
    time = context.time();
    schedule = context.schedule();
    submissionLimit = context.settings().workers().submissionLimit();
  }

  /** A turn begins at this time; the arrivals of the network come next. */
  public void begin(long startNs) {
    time.onTurn(startNs);
    nowNs = time.turnNs();
    submissionsLeft = submissionLimit;
  }

  /**
   * After the poll of the network: takes submissions, fires timers, transmits by priority as far as
   * the shaper allows, and lets the touched paths acknowledge.
   *
   * @return the amount of work done
   */
  public int run() {
    int work = services.paths().unknown().post(nowNs);
    work += rings.drain(Math.max(submissionsLeft, 0), nowNs, onFault);
    work += services.advanceTimers(nowNs);
    services.regions().onTurn(nowNs);
    services.writes().onTurn(nowNs);
    schedule.touched().makeRoom();
    services.packets().controls().reserve();
    work += time.paced().advance(nowNs);
    work += transmit();
    resume();
    work += services.packets().closes().post(nowNs);
    touched = schedule.touched().endTurn(nowNs);
    return work;
  }

  /** Whether the last {@link #run} looked at a path, which may have posted a packet. */
  public boolean isTouched() {
    return touched;
  }

  /** Whether the next turn has something to do, whatever the time. */
  public boolean hasWork() {
    return !rings.isEmpty() || schedule.hasWork() || services.packets().closes().hasWaiting();
  }

  /** The time at which the next turn is due without any event, ns. */
  public long nextDeadlineNs() {
    long sendNs = Math.min(schedule.nextDeadlineNs(), time.paced().nextDeadlineNs());
    long closeNs = services.packets().closes().nextDeadlineNs();
    long carrierNs = services.writes().nextDeadlineNs();
    return Math.min(Math.min(time.wheel().nextDeadlineNs(), sendNs), Math.min(closeNs, carrierNs));
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    PeerPath path = services.paths().pathOf(buffer, offset, length, nowNs);
    if (path != null) {
      path.packets().onDatagram(buffer, offset, length, ecn, nowNs);
      sendAhead(path);
    }
  }

  /**
   * Sends many waiting frames at once, ahead of the datagrams still to be read: the peer works on
   * these frames meanwhile. Else both sides would pass all calls to and fro as one batch, one side
   * at rest while the other side works.
   */
  private void sendAhead(PeerPath path) {
    if (!rings.isEmpty() && submissionsLeft > 0) {
      submissionsLeft -= rings.drain(submissionsLeft, nowNs, onFault);
    }
    if (!path.packets().isOver() && path.packets().frames().size() >= FRAMES_AHEAD) {
      services.packets().controls().reserve();
      transmit();
      resume();
      network.flush(nowNs);
    }
  }

  @Override
  public void onWriteComplete(long context, int status) {
    WorkerSlots slots = services.slots();
    if (slots != null && WorkerSlots.isContext(context)) {
      slots.onWriteComplete(context, status);
    } else {
      services.writes().onWriteComplete(context, status, nowNs);
    }
  }

  /** Takes a packet that the peer has written into one of its slots; rule I-4. */
  @Override
  public void onRemoteWrite(long immediate) {
    WorkerSlots slots = services.slots();
    if (slots == null) {
      services.context().counters().immediatesRejected++;
      return;
    }
    PathSlots written = slots.read(immediate);
    if (written == null) {
      return;
    }
    int length = slots.packetLength();
    PeerPath path = services.paths().named(slots.packet(), 0);
    if (path == null || path.slots() != written) {
      slots.reject();
      return;
    }
    path.packets().onDatagram(slots.packet(), 0, length, 0, nowNs);
    sendAhead(path);
  }

  @Override
  public void onUnreachable(int destination) {
    PeerPath path = services.paths().ofDestination(network.destinationOf(destination));
    if (path != null) {
      path.packets().onUnreachable(nowNs);
    }
  }

  @Override
  public void onRefused(int destination, SegmentBuffer quoted, int offset, int length) {
    PeerPath path = services.paths().ofDestination(network.destinationOf(destination));
    if (path != null) {
      path.packets().onRefused(quoted, offset, length, nowNs);
    }
  }

  @Override
  public void onHeld(int destination, HoldCause cause) {
    PeerPath path = services.paths().ofDestination(network.destinationOf(destination));
    if (path != null) {
      path.packets().onHeld(cause, nowNs);
    }
  }

  @Override
  public void onLetGo(int destination) {
    PeerPath path = services.paths().ofDestination(network.destinationOf(destination));
    if (path != null) {
      path.packets().onLetGo(nowNs);
    }
  }

  @Override
  public void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {
    PeerPath path = services.paths().ofDestination(network.destinationOf(destination));
    if (path != null) {
      path.packets().onLocalMtu(maxDatagramBytes, nowNs);
    }
  }

  private int transmit() {
    int trains = 0;
    Schedulable<WorkerSchedule.Sender> next = schedule.poll(nowNs);
    while (next != null) {
      int level = schedule.polledLevel();
      if (next.owner().transmit(level, nowNs)) {
        trains++;
      } else if (next.owner().isStalled()) {
        stalled.add(next);
        stalledLevels.addInt(level);
        if (network.size() == 1 || stalled.size() == MOST_STALLED) {
          break;
        }
      }
      next = schedule.poll(nowNs);
    }
    return trains;
  }

  /** Paths of an endpoint without a free buffer are due again; paths of other endpoints went on. */
  private void resume() {
    for (int i = 0; i < stalled.size(); i++) {
      stalled.get(i).owner().resume(stalledLevels.getInt(i));
    }
    stalled.clear();
    stalledLevels.clear();
  }
}
