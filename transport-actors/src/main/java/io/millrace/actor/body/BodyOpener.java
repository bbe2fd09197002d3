package io.millrace.actor.body;

import io.millrace.actor.submission.FailureText;
import io.millrace.actor.submission.RepeatedTask;
import io.millrace.actor.submission.WorkerInbox;
import io.millrace.crypto.Records;
import io.millrace.protocol.transfer.CallOutcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens the records of one body in order and gives their plaintext to its target. The worker offers
 * complete fills in any order; each goes back to the worker when its bytes were taken out, or when
 * a tag was wrong. A target that is not ready holds its fills, and with them the sender; while
 * their memory is wanted, the worker takes those back with which the opener has not begun, but for
 * the next. Runs on the executor, one thread at a time; {@link #offer}, {@link #accept} and {@link
 * #fail} are for any thread.
 */
public final class BodyOpener extends RepeatedTask {
  private static final int MAX_ATTEMPTS = 16;
  private static final byte[] NO_BYTES = {};

  private final BodyServices services;
  private final BodyListener listener;
  private final WorkerInbox inbox;
  private final BodyTerms terms;
  private final int headersBytes;
  private final AtomicReference<@Nullable InboundFill> offered = new AtomicReference<>();
  private final AtomicBoolean relinquishing = new AtomicBoolean();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final OpenerPace pace = new OpenerPace();
  private volatile long openedBytes;
  private volatile @Nullable BodyTarget accepted;
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
  private boolean endTaken;
  private long bodyBytes;
  private @Nullable InboundFill ordered;
  private @Nullable BodyTarget target;
  private @Nullable BodyTarget settled;
  private byte[] headers;
  private byte[] early = NO_BYTES;
  private boolean hasHeaders;
  private boolean isOver;
  private boolean isPlaced;
  private long position;

  private record Failure(CallOutcome outcome, String text, Throwable cause) {}

  /** An opener for a body of these terms. */
  public BodyOpener(
      BodyServices services, BodyListener listener, WorkerInbox inbox, BodyTerms terms) {
    super(services.lane());
    this.services = services;
    this.listener = listener;
    this.inbox = inbox;
    this.terms = terms;
    headersBytes = terms.headersBytes();
    bodyBytes = terms.bodyBytes();
    headers = headersBytes == 0 ? NO_BYTES : new byte[headersBytes];
  }

  /** A fill is complete, for the first time or after a record was written again. */
  public void offer(InboundFill fill) {
    InboundFill head;
    do {
      head = offered.get();
      fill.next = head;
    } while (!offered.compareAndSet(head, fill));
    schedule();
  }

  /** Whether this is the first time that the end is told by itself. Worker's thread only. */
  public boolean takeEnd() {
    boolean isFirst = !endTaken;
    endTaken = true;
    return isFirst;
  }

  /** The payload goes here. */
  public void accept(BodyTarget accepted) {
    this.accepted = accepted;
    schedule();
  }

  /** The body is not wanted or will not come; the first failure counts. */
  public void fail(CallOutcome outcome, String text) {
    fail(new Failure(outcome, text, new IOException(text)));
  }

  /**
   * Gives back fills that cannot be opened because what comes before them is missing: its sender
   * may have nowhere to write that while they hold its memory.
   */
  public void relinquish() {
    relinquishing.set(true);
    schedule();
  }

  /** Bytes of the body that were opened. */
  public long openedBytes() {
    return openedBytes;
  }

  /** How fast that grows. Worker's thread only. */
  public OpenerPace pace() {
    return pace;
  }

  /** One of its fills was taken back. Worker's thread only. */
  public void onTakenBack() {
    pace.onTakenBack();
    sweeping.set(true);
    schedule();
  }

  private void fail(Failure failed) {
    failure.compareAndSet(null, failed);
    schedule();
  }

  /** Nobody will ever open the records. */
  @Override
  protected void onRefused() {
    takeOffered();
    if (!isOver) {
      String text = "the executor refuses tasks";
      end(new Failure(CallOutcome.OVERLOADED, text, new IOException(text)));
    }
    discard();
  }

  /** Whether the target, once it is there, is to be called elsewhere: in the next turn, then. */
  private boolean isMoving() {
    BodyTarget given = accepted;
    if (!isPlaced && given != null) {
      isPlaced = true;
      if (given.waitsForDevice()) {
        waitForDevice();
      }
    }
    return isLeaving();
  }

  @Override
  protected void onTurn() {
    if (isMoving()) {
      return;
    }
    takeOffered();
    Failure failed = failure.get();
    if (failed != null && !isOver) {
      end(failed);
    }
    if (isOver) {
      discard();
      abort(new IOException("the transfer was over already"));
      return;
    }
    if (sweeping.getAndSet(false)) {
      sweep();
    }
    RecordDesk desk = services.takeDesk();
    try {
      open(desk);
      if (relinquishing.getAndSet(false)) {
        withdraw();
      }
    } catch (IOException | RuntimeException e) {
      onFault(e);
    } finally {
      services.putBack(desk);
    }
  }

  @Override
  protected void onFault(Throwable thrown) {
    if (!isOver) {
      Failure own = new Failure(CallOutcome.TARGET_FAILED, FailureText.of(thrown), thrown);
      Failure first = failure.compareAndExchange(null, own);
      end(first == null ? own : first);
    }
    discard();
  }

  private void takeOffered() {
    InboundFill fill = offered.getAndSet(null);
    while (fill != null) {
      InboundFill following = fill.next;
      insert(fill);
      fill = following;
    }
  }

  private void insert(InboundFill fill) {
    InboundFill before = null;
    InboundFill after = ordered;
    while (after != null && after.position() <= fill.position()) {
      before = after;
      after = after.next;
    }
    fill.next = after;
    if (before == null) {
      ordered = fill;
    } else {
      before.next = fill;
    }
  }

  private void open(RecordDesk desk) throws IOException {
    if (headersBytes == 0 && !hasHeaders && ordered != null) {
      onHeaders();
    }
    InboundFill fill = next();
    // A fill whose bytes are all with the target goes back, even if that takes no more.
    while (fill != null && (fill.isOpened() || isReady())) {
      if (!fill.claim()) {
        ordered = fill.next;
        inbox.giveBack(fill);
      } else if (fill.recordsDone < fill.records()) {
        if (!openRecord(desk, fill)) {
          return;
        }
      } else {
        close(fill);
      }
      fill = next();
    }
    if (!isOver && position == bodyBytes && isReady() && hasHeaders) {
      complete();
    }
    BodyTarget present = target;
    if (!isOver && present != null && present.isCancelled()) {
      throw new IOException("the target wants no more");
    }
  }

  /** The fill with the next bytes, or null if it is not there. */
  private @Nullable InboundFill next() throws IOException {
    dropRepeated();
    InboundFill fill = ordered;
    if (fill != null && fill.recordsDone == 0 && fill.position() < position) {
      skipRepeated(fill);
    }
    return fill != null && fill.position() == position - opened(fill) ? fill : null;
  }

  /** Bytes that were opened before, written into another region because an answer was lost. */
  private void dropRepeated() {
    InboundFill fill = ordered;
    while (fill != null
        && fill.recordsDone == 0
        && fill.position() + fill.lengthBytes() <= position
        && fill.lengthBytes() > 0) {
      ordered = fill.next;
      fill.claim();
      inbox.giveBack(fill);
      fill = ordered;
    }
  }

  /** Lets go of fills that were taken back. */
  private void sweep() {
    InboundFill fill = ordered;
    ordered = null;
    InboundFill last = null;
    while (fill != null) {
      InboundFill following = fill.next;
      if (fill.isTakenBack()) {
        inbox.giveBack(fill);
      } else {
        fill.next = null;
        if (last == null) {
          ordered = fill;
        } else {
          last.next = fill;
        }
        last = fill;
      }
      fill = following;
    }
  }

  /** The region was taken back between two of its records, so all of them were written again. */
  private void skipRepeated(InboundFill fill) throws IOException {
    long repeated = position - fill.position();
    if (repeated % Records.RECORD_BYTES != 0) {
      throw new IOException("records were written again with other lengths");
    }
    fill.recordsDone = (int) (repeated / Records.RECORD_BYTES);
  }

  /** Nothing, if the next bytes are there: then it is their target that takes its time. */
  private void withdraw() {
    InboundFill fill = ordered;
    if (fill == null || fill.position() <= position) {
      return;
    }
    ordered = null;
    while (fill != null) {
      InboundFill following = fill.next;
      if (fill.region() < 0) {
        // Where the body ends was told once; it takes no region.
        insert(fill);
      } else {
        fill.claim();
        fill.withdraw();
        inbox.giveBack(fill);
      }
      fill = following;
    }
  }

  private static long opened(InboundFill fill) {
    return fill.recordsDone == fill.records()
        ? fill.lengthBytes()
        : (long) fill.recordsDone * fill.recordLength(0);
  }

  /** Whether the next record has somewhere to go. */
  private boolean isReady() throws IOException {
    if (!hasHeaders) {
      return true;
    }
    BodyTarget present = begun();
    return present != null && present.isReady();
  }

  /** The target, begun when it is there for the first time; or null. */
  private @Nullable BodyTarget begun() throws IOException {
    BodyTarget given = accepted;
    if (target == null && given != null) {
      if (isMoving()) {
        return null;
      }
      target = given;
      given.start(this::schedule);
      if (early.length > 0) {
        given.write(early, 0, early.length);
        early = NO_BYTES;
      }
    }
    return target;
  }

  /** Opens the next record of the fill; false if its tag was wrong and the fill went back. */
  private boolean openRecord(RecordDesk desk, InboundFill fill) throws IOException {
    int record = fill.recordsDone;
    int length = fill.recordLength(record);
    boolean authentic = fill.open(desk, record, terms.secretBytes(position, length));
    if (!authentic) {
      onBad(fill, record);
      return false;
    }
    fill.recordsDone++;
    deliver(desk.plain, length);
    position += length;
    openedBytes = position;
    return true;
  }

  private void onBad(InboundFill fill, int record) {
    ordered = fill.next;
    if (fill.onBadRecord(record) == MAX_ATTEMPTS) {
      fail(CallOutcome.NOT_AUTHENTIC, "a record's tag was wrong " + MAX_ATTEMPTS + " times");
    }
    inbox.giveBack(fill);
  }

  private void deliver(byte[] plain, int length) throws IOException {
    int from = 0;
    if (position < headersBytes) {
      from = (int) Math.min(length, headersBytes - position);
      System.arraycopy(plain, 0, headers, (int) position, from);
      if (position + from == headersBytes) {
        onHeaders();
      }
    }
    if (from < length) {
      BodyTarget present = begun();
      if (present == null) {
        early = Arrays.copyOfRange(plain, from, length);
      } else {
        present.write(plain, from, length - from);
      }
    }
  }

  private void onHeaders() throws IOException {
    hasHeaders = true;
    long payload = bodyBytes == BodyTerms.UNKNOWN ? BodyTerms.UNKNOWN : bodyBytes - headersBytes;
    BodyTarget given = listener.onHeaders(this, headers, payload);
    headers = NO_BYTES;
    if (given != null) {
      accepted = given;
    }
  }

  /** All records of the fill were taken out. */
  private void close(InboundFill fill) throws IOException {
    ordered = fill.next;
    long announcedBytes = terms.bodyBytes();
    boolean isRight =
        announcedBytes == BodyTerms.UNKNOWN
            || (fill.isLast ? position == announcedBytes : position <= announcedBytes);
    if (fill.isLast) {
      bodyBytes = position;
    }
    inbox.giveBack(fill);
    if (!isRight) {
      throw new IOException(
          "the sender announced " + announcedBytes + " bytes and did not keep to that");
    }
  }

  private void complete() throws IOException {
    BodyTarget present = target;
    if (present == null) {
      return;
    }
    settled = present;
    present.complete();
    isOver = true;
    attempt(() -> listener.onDelivered(bodyBytes - headersBytes));
  }

  private void end(Failure failed) {
    isOver = true;
    abort(failed.cause());
    attempt(() -> listener.onFailed(failed.outcome(), failed.text()));
  }

  private void abort(Throwable cause) {
    BodyTarget given = accepted;
    if (given != null && given != settled) {
      settled = given;
      attempt(() -> given.abort(cause));
    }
  }

  /** Nobody wants the bytes any more: the regions are free. */
  private void discard() {
    InboundFill fill = ordered;
    ordered = null;
    while (fill != null) {
      InboundFill following = fill.next;
      fill.recordsDone = fill.records();
      fill.claim();
      inbox.giveBack(fill);
      fill = following;
    }
  }
}
