package io.millrace.body;

import io.millrace.buffer.BufferShare;
import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.DataKey;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.ends.RepeatedTask;
import io.millrace.ends.Submission;
import io.millrace.ends.WorkerInbox;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the source of one body, seals the source record by record into buffers, and gives these to
 * the worker. Seals no more than the window of the body, little more than the bytes with a region,
 * and no more than the node's pool has. A slow source fills a whole buffer while bytes are on their
 * way, so that at most a single buffer is mostly empty. Runs on the executor, one thread at a time;
 * {@link #schedule}, {@link #onAcknowledged} and {@link #cancel} are for any thread.
 */
public final class BodySealer extends RepeatedTask implements BodyFeed {
  private static final int PART_BYTES = TransferSettings.PART_BYTES;

  /**
   * Sealed bytes without a region at which sealing pauses: bytes with a long wait leave the caches.
   */
  private static final int AHEAD_BYTES = 2 * PART_BYTES;

  private static final String OWNER = "sealed body";
  private static final byte[] NO_BYTES = {};
  private static final VarHandle WINDOW;
  private static final VarHandle AHEAD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WINDOW = lookup.findVarHandle(BodySealer.class, "windowBytes", long.class);
      AHEAD = lookup.findVarHandle(BodySealer.class, "aheadBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BodyServices services;
  private final OutboundBody body;
  private final BodySource source;
  private final byte[] headers;
  private final WorkerInbox inbox;
  private final long recipients;
  private final BufferShare share;
  private volatile long windowBytes;
  private volatile long aheadBytes;
  private volatile boolean cancelled;
  private boolean started;
  private boolean finished;
  private boolean isDry;
  private boolean endSeen;
  private long position;
  private @Nullable TransferBuffer buffer;
  private byte[] held = NO_BYTES;
  private int heldBytes;
  private int sealedBytes;
  private int capacityBytes;
  private @Nullable RecordRange range;
  private @Nullable MemoryWaiter waiter;

  private BodySealer(
      BodyServices services,
      OutboundBody body,
      BodySource source,
      byte[] headers,
      WorkerInbox inbox,
      long recipients,
      BufferShare share) {
    super(services.work());
    this.services = services;
    this.body = body;
    this.source = source;
    this.headers = headers;
    this.inbox = inbox;
    this.recipients = recipients;
    this.share = share;
    windowBytes = services.settings().windowBytes();
  }

  /**
   * Begins to seal. Worker's thread.
   *
   * @param recipients the peers that will learn the data keys: one number for each set of peers
   * @param share the peer with the memory share for the body
   */
  public static void start(
      BodyServices services,
      OutboundBody body,
      BodySource source,
      byte[] headers,
      WorkerInbox inbox,
      long recipients,
      PeerShares.Share share) {
    body.start(new BodySealer(services, body, source, headers, inbox, recipients, share.buffers()));
  }

  @Override
  public void start() {
    schedule();
  }

  @Override
  public void onAcknowledged(int bytes) {
    long before = (long) WINDOW.getAndAdd(this, (long) bytes);
    long after = before + bytes;
    if ((before <= 0 && after > 0) || after == services.settings().windowBytes()) {
      schedule();
    }
  }

  @Override
  public void onPlaced(int bytes) {
    long before = (long) AHEAD.getAndAdd(this, (long) -bytes);
    if (before >= AHEAD_BYTES && before - bytes < AHEAD_BYTES) {
      schedule();
    }
  }

  /** Closes the source. */
  @Override
  public void cancel() {
    cancelled = true;
    schedule();
  }

  /** Nobody will ever read the source. */
  @Override
  protected void onRefused() {
    if (!finished) {
      onFault(new IOException("the executor refuses tasks"));
    }
  }

  @Override
  protected void onTurn() {
    if (finished) {
      return;
    }
    if (cancelled) {
      finish();
      return;
    }
    if (leaves(source::waitsForDevice)) {
      return;
    }
    RecordWorkspace workspace = services.takeWorkspace();
    try {
      if (!started) {
        started = true;
        source.start(this::schedule);
      }
      seal(workspace);
    } catch (IOException | RuntimeException e) {
      onFault(e);
    } finally {
      services.putBack(workspace);
    }
  }

  private void seal(RecordWorkspace workspace) throws IOException {
    isDry = false;
    if (isAtEnd(workspace)) {
      give(null, null, true);
      return;
    }
    if (isDry) {
      return;
    }
    while (!finished && !isDry && !cancelled && openPart(workspace)) {
      int room = Math.min(Records.RECORD_BYTES, capacityBytes - sealedBytes);
      LentBytes lent = lend(room);
      if (lent != null && lent.length() == room) {
        sealRecord(workspace, lent.array(), lent.offset(), room);
        closeFullPart(workspace);
        continue;
      }
      int length = readRecord(workspace.plain, room, lent);
      if (isDry && isUnderWay() && sealedBytes + length > 0) {
        hold(workspace.plain, length);
        return;
      }
      if (length > 0) {
        sealRecord(workspace, workspace.plain, 0, length);
      }
      boolean ended = isAtEnd(workspace);
      if (ended || length < room || sealedBytes == capacityBytes) {
        closePart(ended);
      }
    }
  }

  /**
   * Whether a buffer to seal into is present; if not, this task is scheduled when memory may be
   * free.
   */
  private boolean openPart(RecordWorkspace workspace) {
    if (buffer != null) {
      return true;
    }
    long most = Math.min(PART_BYTES, windowBytes);
    if (most <= 0 || aheadBytes >= AHEAD_BYTES) {
      return false;
    }
    long end = endPosition();
    int capacity = (int) (end == BodyTerms.UNKNOWN ? most : Math.min(most, end - position));
    MemoryWaiter waits = waiter;
    int granted = waits == null ? 0 : waits.grantedBytes();
    if (granted > 0) {
      capacity = Math.min(capacity, granted);
    }
    TransferBuffer next = services.buffers().tryAllocate(capacity, OWNER, share, waits);
    if (next == null) {
      awaitMemory(capacity);
      return false;
    }
    RecordRange nonces = workspace.keys.reserve(recipients, (int) Records.count(capacity));
    next.beginWrite();
    byte[] dataKey = nonces.dataKey();
    next.bind(dataKey, nonces.firstNonce(), nonces.hold());
    Arrays.fill(dataKey, (byte) 0);
    buffer = next;
    range = nonces;
    capacityBytes = capacity;
    sealedBytes = 0;
    return true;
  }

  private void awaitMemory(int bytes) {
    MemoryWaiter waits = waiter;
    if (waits == null) {
      waits = services.buffers().waiter(share, this::schedule);
      waiter = waits;
    }
    waits.await(bytes);
  }

  /** Whether the peer has yet to take over bytes; the acknowledgement schedules this task. */
  private boolean isUnderWay() {
    return windowBytes != services.settings().windowBytes();
  }

  /** Keeps the bytes read of a record until more bytes come, or until nothing is under way. */
  private void hold(byte[] plain, int length) {
    if (held.length < length) {
      held = new byte[Records.RECORD_BYTES];
    }
    System.arraycopy(plain, 0, held, 0, length);
    heldBytes = length;
  }

  private int takeHeld(byte[] into) {
    int length = heldBytes;
    System.arraycopy(held, 0, into, 0, length);
    heldBytes = 0;
    return length;
  }

  /** Bytes of the source in their place, if the next record has only such bytes. */
  private @Nullable LentBytes lend(int room) throws IOException {
    return heldBytes == 0 && position >= headers.length ? source.lend(room) : null;
  }

  /** Reads until the record is full, the source is dry, or the body ends. */
  private int readRecord(byte[] into, int room, @Nullable LentBytes lent) throws IOException {
    int length = lent != null ? copy(lent, into) : takeBegun(into, room);
    while (length < room && !isDry) {
      int read = source.read(into, length, room - length);
      if (read < 0) {
        onSourceEnd(position + length);
        break;
      }
      isDry = read == 0;
      length += read;
    }
    return length;
  }

  private static int copy(LentBytes lent, byte[] into) {
    System.arraycopy(lent.array(), lent.offset(), into, 0, lent.length());
    return lent.length();
  }

  /** Takes the bytes held of the record, or the headers. */
  private int takeBegun(byte[] into, int room) {
    return heldBytes > 0 ? takeHeld(into) : takeHeaders(into, room);
  }

  private int takeHeaders(byte[] into, int room) {
    if (position >= headers.length) {
      return 0;
    }
    int length = (int) Math.min(room, headers.length - position);
    System.arraycopy(headers, (int) position, into, 0, length);
    return length;
  }

  private void onSourceEnd(long at) throws IOException {
    long end = endPosition();
    if (end != BodyTerms.UNKNOWN && at < end) {
      throw new IOException(
          "the source ended after " + at + " of " + end + " bytes of headers and payload");
    }
    endSeen = true;
  }

  private void sealRecord(RecordWorkspace workspace, byte[] plain, int offset, int length) {
    TransferBuffer filling = buffer;
    RecordRange nonces = range;
    if (filling == null || nonces == null) {
      throw new IllegalStateException("no buffer is open");
    }
    int secretBytes = body.terms().secretBytes(position, length);
    workspace.seal(nonces, plain, offset, length, secretBytes, filling, sealedBytes);
    sealedBytes += length;
    position += length;
  }

  private void closeFullPart(RecordWorkspace workspace) throws IOException {
    boolean ended = isAtEnd(workspace);
    if (ended || sealedBytes == capacityBytes) {
      closePart(ended);
    }
  }

  private void closePart(boolean isLast) {
    TransferBuffer filling = buffer;
    if (filling == null) {
      return;
    }
    buffer = null;
    DataKey key = range == null ? null : range.key();
    closeRange();
    if (sealedBytes == 0) {
      filling.release();
      if (isLast) {
        give(null, null, true);
      }
      return;
    }
    filling.fill(sealedBytes);
    WINDOW.getAndAdd(this, (long) -sealedBytes);
    AHEAD.getAndAdd(this, (long) sealedBytes);
    give(filling, key, isLast);
  }

  private void give(@Nullable TransferBuffer filling, @Nullable DataKey key, boolean isLast) {
    int length = filling == null ? 0 : filling.lengthBytes();
    SealedRecords sealed = new SealedRecords(body, filling, key, position - length, isLast);
    if (isLast) {
      finishOr(sealed);
    }
    inbox.giveBack(sealed);
  }

  /** A source that fails to close fails the body, with the body's last buffer still here. */
  private void finishOr(SealedRecords last) {
    try {
      finish();
    } catch (RuntimeException | Error e) {
      last.release();
      throw e;
    }
  }

  private void closeRange() {
    RecordRange nonces = range;
    range = null;
    if (nonces != null) {
      nonces.close();
    }
  }

  /**
   * Whether the source is at its end; a source of known length is asked for bytes beyond this
   * length.
   */
  private boolean isAtEnd(RecordWorkspace workspace) throws IOException {
    if (endSeen || position != endPosition()) {
      return endSeen;
    }
    int more = source.read(workspace.plain, 0, 1);
    if (more > 0) {
      throw new IOException(
          "the source has more than the " + (position - headers.length) + " bytes announced");
    }
    isDry = more == 0;
    endSeen = more < 0;
    return endSeen;
  }

  private long endPosition() {
    return body.terms().bodyBytes();
  }

  @Override
  protected void onFault(Throwable thrown) {
    String text = FailureText.of(thrown);
    if (!finished) {
      attempt(this::finish);
    }
    inbox.giveBack(
        new Submission() {
          @Override
          public int priority() {
            return body.terms().level();
          }

          @Override
          public void onTaken(long nowNs) {
            body.onSourceFailed(text);
          }

          @Override
          public void onRefused(CallOutcome outcome, String reason) {
            // The worker is gone and the body with the worker.
          }
        });
  }

  private void finish() {
    finished = true;
    held = NO_BYTES;
    heldBytes = 0;
    TransferBuffer filling = buffer;
    buffer = null;
    if (filling != null) {
      filling.release();
    }
    closeRange();
    if (waiter != null) {
      waiter.cancel();
    }
    source.close();
  }
}
