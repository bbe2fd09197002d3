package io.millrace.body;

import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.LentBytes;
import io.millrace.transfer.Protection;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source of known length once and seals the source once, record by record, into one
 * allocation for any number of transfers. The data key is used for nothing else. No byte leaves
 * before all bytes are sealed. Runs on the executor, one thread at a time; {@link #schedule} and
 * {@link #cancel} are for any thread.
 */
public final class SharedSealer extends SealingTask {

  private static final String OWNER = "sealed payload";
  private static final byte[] NO_BYTES = {};

  /** The receiver of the payload. Called on the executor: either method, once. */
  public interface Listener {
    /** All is sealed; the listener holds the payload. */
    void onSealed(SharedPayload payload);

    /** No payload will come; nothing is held and the source is closed. */
    void onFailed(CallOutcome outcome, String text);
  }

  private final BodySource source;
  private final byte[] headers;
  private final Protection protection;
  private final Listener listener;
  private boolean started;
  private int bodyBytes;
  private int position;
  private @Nullable RecordRange nonces;
  private byte[] begun = NO_BYTES;
  private int begunBytes;

  private SharedSealer(
      BodyServices services,
      BodySource source,
      byte[] headers,
      Protection protection,
      Listener listener) {
    super(services);
    this.protection = protection;
    this.source = source;
    this.headers = headers;
    this.listener = listener;
  }

  /**
   * Begins to seal. Any thread may call this.
   *
   * @param source a source of known length, closed in any case
   */
  public static SharedSealer start(
      BodyServices services,
      BodySource source,
      byte[] headers,
      Protection protection,
      Listener listener) {
    SharedSealer sealer = new SharedSealer(services, source, headers, protection, listener);
    services.begin(sealer);
    sealer.schedule();
    return sealer;
  }

  @Override
  void seal() {
    if (leaves(source::waitsForDevice)) {
      return;
    }
    RecordWorkspace workspace = services().takeWorkspace();
    boolean isSealed = false;
    try {
      if (!started) {
        begin();
      }
      isSealed = !isFinished() && hasMemory() && sealAll(workspace);
    } catch (IOException | RuntimeException e) {
      fail(CallOutcome.SOURCE_FAILED, FailureText.of(e));
    } finally {
      services().putBack(workspace);
    }
    if (isSealed) {
      give();
    }
  }

  private void begin() {
    started = true;
    long length = MeasuredSource.lengthOf(source);
    if (length == BodySource.UNKNOWN_LENGTH) {
      fail(CallOutcome.SOURCE_FAILED, "the length of a payload for several peers must be known");
      return;
    }
    if (reserve(Math.min(length, Long.MAX_VALUE - headers.length) + headers.length)) {
      bodyBytes = headers.length + (int) length;
      begun = new byte[Math.min(Records.RECORD_BYTES, bodyBytes)];
      source.start(this::schedule);
    }
  }

  @Override
  @Nullable List<TransferBuffer> allocate(@Nullable MemoryWaiter waiter) {
    return allocateRanges(bodyBytes, OWNER, waiter);
  }

  private RecordRange bind(RecordWorkspace workspace) {
    memory().forEach(TransferBuffer::beginWrite);
    return bind(workspace, memory(), bodyBytes);
  }

  /** Whether all is sealed; if not, the source has no bytes now. */
  private boolean sealAll(RecordWorkspace workspace) throws IOException {
    while (position < bodyBytes) {
      if (isEnding()) {
        return false;
      }
      int length = Math.min(Records.RECORD_BYTES, bodyBytes - position);
      LentBytes lent = begunBytes == 0 && position >= headers.length ? source.lend(length) : null;
      if (lent != null && lent.length() == length) {
        seal(workspace, lent.array(), lent.offset(), length);
      } else if (isRead(lent, length)) {
        seal(workspace, begun, 0, length);
        begunBytes = 0;
      } else {
        return false;
      }
    }
    return isExhausted(workspace);
  }

  /**
   * Whether the source has kept to the length told before; false if the source does not say yet.
   */
  private boolean isExhausted(RecordWorkspace workspace) throws IOException {
    int more = source.read(workspace.plain, 0, 1);
    if (more > 0) {
      throw new IOException(
          "the source has more than the " + (bodyBytes - headers.length) + " bytes announced");
    }
    return more < 0;
  }

  /** Whether a whole record was read. */
  private boolean isRead(@Nullable LentBytes lent, int length) throws IOException {
    if (lent != null) {
      System.arraycopy(lent.array(), lent.offset(), begun, 0, lent.length());
      begunBytes = lent.length();
    }
    int ofHeaders = Math.min(headers.length - position - begunBytes, length - begunBytes);
    if (ofHeaders > 0) {
      System.arraycopy(headers, position + begunBytes, begun, begunBytes, ofHeaders);
      begunBytes += ofHeaders;
    }
    while (begunBytes < length) {
      int read = source.read(begun, begunBytes, length - begunBytes);
      if (read < 0) {
        throw new IOException(
            "the source ended after "
                + (position + begunBytes)
                + " of "
                + bodyBytes
                + " bytes of headers and payload");
      }
      if (read == 0) {
        return false;
      }
      begunBytes += read;
    }
    return true;
  }

  private void seal(RecordWorkspace workspace, byte[] plain, int offset, int length) {
    RecordRange unused = nonces;
    if (unused == null) {
      unused = bind(workspace);
      nonces = unused;
    }
    TransferBuffer range = memory().get(position / RANGE_BYTES);
    int at = position % RANGE_BYTES;
    int secretBytes = protection.secretBytes(headers.length, position, length);
    workspace.seal(unused, plain, offset, length, secretBytes, range, at);
    position += length;
    if (at + length == RANGE_BYTES || position == bodyBytes) {
      range.fill(at + length);
    }
  }

  private void give() {
    SharedPayload sealed =
        new SharedPayload(
            memory(),
            nonces == null ? null : nonces.key(),
            headers.length,
            bodyBytes,
            services().settings().coverBroadcasts(),
            protection);
    finish();
    listener.onSealed(sealed);
  }

  @Override
  void onFailed(CallOutcome outcome, String text) {
    listener.onFailed(outcome, text);
  }

  @Override
  void onEnd() {
    begun = NO_BYTES;
    if (nonces != null) {
      nonces.close();
    }
    source.close();
  }
}
