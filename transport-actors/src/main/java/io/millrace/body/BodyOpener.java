package io.millrace.body;

import static java.util.Objects.requireNonNull;

import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.ends.RepeatedTask;
import io.millrace.ends.WorkerInbox;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Opens the records of one body in order and gives their plaintext to the body's target. The worker
 * offers complete fills in any order. Each fill goes back to the worker after its bytes were taken
 * out, or after a wrong tag. A target that is not ready holds its fills, and with the fills the
 * sender. While memory is wanted, the worker takes back fills not yet begun by the opener, except
 * the next fill. Runs on the executor, one thread at a time; {@link #offer}, {@link #accept} and
 * {@link #fail} are for any thread.
 */
public final class BodyOpener extends RepeatedTask {
  private static final int MAX_ATTEMPTS = 16;
  private static final VarHandle OFFERED;
  private static final VarHandle RELINQUISHING;
  private static final VarHandle SWEEPING;
  private static final VarHandle FAILURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OFFERED = lookup.findVarHandle(BodyOpener.class, "offered", InboundFill.class);
      RELINQUISHING = lookup.findVarHandle(BodyOpener.class, "relinquishing", boolean.class);
      SWEEPING = lookup.findVarHandle(BodyOpener.class, "sweeping", boolean.class);
      FAILURE = lookup.findVarHandle(BodyOpener.class, "failure", Failure.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BodyServices services;
  private final BodyListener listener;
  private final WorkerInbox inbox;
  private final BodyTerms terms;
  private final int headersBytes;
  private final HeaderAssembly headers;
  private volatile @Nullable InboundFill offered;

  @SuppressWarnings("UnusedVariable") // read by the handle
  private volatile boolean relinquishing;

  @SuppressWarnings("UnusedVariable") // read by the handle
  private volatile boolean sweeping;

  // Worker's thread only; null until the first look.
  private @Nullable OpenerProgress pace;
  private volatile long openedBytes;
  private volatile @Nullable BodyTarget accepted;
  private volatile @Nullable Failure failure;
  // Worker's thread only.
  private boolean isDiscarded;
  private boolean endTaken;
  private final NamedBuffer named = new NamedBuffer();
  private long bodyBytes;
  private @Nullable InboundFill ordered;
  private @Nullable BodyTarget target;
  private @Nullable BodyTarget settled;
  private boolean hasHeaders;
  private boolean isOver;
  private long position;

  private record Failure(CallOutcome outcome, String text, Throwable cause) {}

  /** An opener for a body of these terms, whose sender has this share. */
  public BodyOpener(
      BodyServices services,
      BodyListener listener,
      WorkerInbox inbox,
      BodyTerms terms,
      PeerShares.Share share) {
    super(services.work());
    this.services = services;
    this.listener = listener;
    this.inbox = inbox;
    this.terms = terms;
    headersBytes = terms.headersBytes();
    headers = new HeaderAssembly(new AssemblyMemory(services, share), headersBytes);
    bodyBytes = terms.bodyBytes();
  }

  /** A fill is complete, for the first time or after the repair of a record. */
  public void offer(InboundFill fill) {
    InboundFill head;
    do {
      head = offered;
      fill.next = head;
    } while (!OFFERED.compareAndSet(this, head, fill));
    schedule();
  }

  /** Whether a notification tells the end by itself for the first time. Worker's thread only. */
  public boolean takeEnd() {
    boolean isFirst = !endTaken;
    endTaken = true;
    return isFirst;
  }

  /** The sender's buffer of the latest notification. Worker's thread only. */
  public NamedBuffer named() {
    return named;
  }

  /** The rest of the body is not wanted. Worker's thread only. */
  public void onDiscarded() {
    isDiscarded = true;
  }

  /** Whether the rest of the body is of no use. Worker's thread only. */
  public boolean isDiscarded() {
    return isDiscarded;
  }

  /** Sets the target of the payload. */
  public void accept(BodyTarget accepted) {
    this.accepted = accepted;
    schedule();
  }

  /** The body is not wanted or will not come; the first failure counts. */
  public void fail(CallOutcome outcome, String text) {
    fail(new Failure(outcome, text, new IOException(text)));
  }

  /**
   * Gives back fills that wait for missing earlier bytes: the sender may have no memory for the
   * missing bytes while these fills hold the memory.
   */
  public void relinquish() {
    relinquishing = true;
    schedule();
  }

  /** The number of bytes opened so far. */
  public long openedBytes() {
    return openedBytes;
  }

  /** The speed of the opener. Worker's thread only. */
  public OpenerProgress pace() {
    OpenerProgress own = pace;
    if (own == null) {
      own = new OpenerProgress();
      pace = own;
    }
    return own;
  }

  /** A fill of the body was taken back. Worker's thread only. */
  public void onTakenBack() {
    pace().onTakenBack();
    sweeping = true;
    schedule();
  }

  private void fail(Failure failed) {
    FAILURE.compareAndSet(this, null, failed);
    schedule();
  }

  /** Nobody will ever open the records. */
  @Override
  protected void onRefused() {
    takeOffered();
    String text = "the executor refuses tasks";
    IOException cause = new IOException(text);
    if (!isOver) {
      end(new Failure(CallOutcome.OVERLOADED, text, cause));
    }
    discard();
    // A target named since then would wait for bytes for ever.
    abort(cause);
  }

  /** Whether the target, once named, must be called on another thread: in the next turn, then. */
  private boolean isMoving() {
    BodyTarget given = accepted;
    return given != null && leaves(given::waitsForDevice);
  }

  @Override
  protected void onTurn() {
    if (isMoving()) {
      return;
    }
    takeOffered();
    Failure failed = failure;
    if (failed != null && !isOver) {
      end(failed);
    }
    if (isOver) {
      discard();
      abort(new IOException("the transfer was over already"));
      return;
    }
    if ((boolean) SWEEPING.getAndSet(this, false)) {
      ordered = FillOrder.withoutTakenBack(ordered, inbox);
    }
    RecordWorkspace workspace = services.takeWorkspace();
    try {
      open(workspace);
      if ((boolean) RELINQUISHING.getAndSet(this, false)) {
        withdraw();
      }
    } catch (IOException | RuntimeException e) {
      onFault(e);
    } finally {
      services.putBack(workspace);
    }
  }

  @Override
  protected void onFault(Throwable thrown) {
    if (!isOver) {
      Failure own = new Failure(CallOutcome.TARGET_FAILED, FailureText.of(thrown), thrown);
      Failure first = (Failure) FAILURE.compareAndExchange(this, null, own);
      end(first == null ? own : first);
    }
    discard();
    // Aborts a target named too late, or a target that threw at the question for its thread.
    abort(thrown);
  }

  private void takeOffered() {
    InboundFill fill = (InboundFill) OFFERED.getAndSet(this, null);
    while (fill != null) {
      InboundFill following = fill.next;
      ordered = FillOrder.insert(ordered, fill);
      fill = following;
    }
  }

  private void open(RecordWorkspace workspace) throws IOException {
    if (headersBytes == 0 && !hasHeaders && ordered != null) {
      onHeaders();
    }
    InboundFill fill = next();
    // A fill with all bytes at the target goes back, even if the target takes no more.
    while (fill != null && (fill.isOpened() || isReady())) {
      if (!fill.claim()) {
        ordered = fill.next;
        inbox.giveBack(fill);
      } else if (fill.recordsDone < fill.records()) {
        if (!openRecord(workspace, fill)) {
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

  /** Returns the fill with the next bytes, or null without such a fill. */
  private @Nullable InboundFill next() throws IOException {
    dropRepeated();
    InboundFill fill = ordered;
    if (fill != null && fill.recordsDone == 0 && fill.position() < position) {
      if (fill.lengthBytes() == 0) {
        throw new IOException("the sender ended the body before bytes that it has sent");
      }
      skipRepeated(fill);
    }
    return fill != null && fill.position() == position - opened(fill) ? fill : null;
  }

  /**
   * Drops bytes opened before, which the sender wrote into another region because an answer was
   * lost.
   */
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

  /**
   * The region was taken back between two of the fill's records, so the sender wrote all records
   * again.
   */
  private void skipRepeated(InboundFill fill) throws IOException {
    long repeated = position - fill.position();
    if (repeated % Records.RECORD_BYTES != 0) {
      throw new IOException("records were written again with other lengths");
    }
    fill.recordsDone = (int) (repeated / Records.RECORD_BYTES);
  }

  /** Withdraws no fill if the next bytes are present: then the target takes its time. */
  private void withdraw() {
    InboundFill fill = ordered;
    if (fill == null || fill.position() <= position) {
      return;
    }
    ordered = null;
    while (fill != null) {
      InboundFill following = fill.next;
      if (fill.region() < 0) {
        // The end of the body was told once, and takes no region.
        ordered = FillOrder.insert(ordered, fill);
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

  /** Whether the next record has a place to go. */
  private boolean isReady() throws IOException {
    if (!hasHeaders) {
      return true;
    }
    BodyTarget present = begun();
    return present != null && present.isReady();
  }

  /** Returns the target, begun at its first appearance; or null. */
  private @Nullable BodyTarget begun() throws IOException {
    BodyTarget given = accepted;
    if (target == null && given != null) {
      if (isMoving()) {
        return null;
      }
      target = given;
      given.start(this::schedule);
    }
    return target;
  }

  /**
   * Opens the next record of the fill. Returns false after a wrong tag: the fill has gone back.
   * Returns false also without a place for the bytes: the fill then stays in the region, and the
   * record is opened again.
   */
  private boolean openRecord(RecordWorkspace workspace, InboundFill fill) throws IOException {
    int record = fill.recordsDone;
    int length = fill.recordLength(record);
    boolean authentic = fill.open(workspace, record, terms.secretBytes(position, length));
    if (!authentic) {
      onBad(fill, record);
      return false;
    }
    if (!deliver(workspace.plain, length)) {
      fill.unclaim();
      return false;
    }
    fill.recordsDone++;
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

  private boolean deliver(byte[] plain, int length) throws IOException {
    int from = 0;
    if (position < headersBytes) {
      from = (int) Math.min(length, headersBytes - position);
      if (!hasHeaders) {
        takeHeaders(plain, from);
      }
    }
    if (from < length) {
      if (!isReady()) {
        return false;
      }
      requireNonNull(target).write(plain, from, length - from);
    }
    return true;
  }

  private void takeHeaders(byte[] plain, int count) throws IOException {
    String problem = headers.add(plain, count);
    if (problem != null) {
      fail(CallOutcome.OVERLOADED, problem);
      throw new IOException(problem);
    }
    if (headers.areWhole()) {
      onHeaders();
    }
  }

  private void onHeaders() throws IOException {
    hasHeaders = true;
    long payload = bodyBytes == BodyTerms.UNKNOWN ? BodyTerms.UNKNOWN : bodyBytes - headersBytes;
    BodyTarget given = listener.onHeaders(this, headers.take(), payload);
    if (given != null) {
      accepted = given;
    }
  }

  /** All records of the fill were taken out. */
  private void close(InboundFill fill) throws IOException {
    ordered = fill.next;
    boolean isRight = isAsAnnounced(fill.isLast);
    if (fill.isLast) {
      bodyBytes = position;
    }
    inbox.giveBack(fill);
    if (!isRight) {
      throw new IOException(
          "the sender announced "
              + (terms.bodyBytes() == BodyTerms.UNKNOWN
                  ? headersBytes + " bytes of headers"
                  : terms.bodyBytes() + " bytes")
              + " and did not keep to that");
    }
  }

  private boolean isAsAnnounced(boolean isLast) {
    long announcedBytes = terms.bodyBytes();
    if (announcedBytes == BodyTerms.UNKNOWN) {
      return !isLast || position >= headersBytes;
    }
    return isLast ? position == announcedBytes : position <= announcedBytes;
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
    headers.drop();
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
