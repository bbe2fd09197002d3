package io.millrace.body;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a unary message together from its body: an array for headers and an array for the payload,
 * within the node's memory for messages. Called on the executor, one call at a time.
 */
public abstract class MessageAssembly implements BodyListener, BodyTarget {
  private static final byte[] NO_BYTES = {};

  private final BodyServices services;
  private final AssemblyMemory memory;
  private byte[] headers = NO_BYTES;
  private byte[] payload = NO_BYTES;
  private int filled;

  /** An assembly within the limits of {@code services}, and of the sender's share. */
  protected MessageAssembly(BodyServices services, PeerShares.Share share) {
    this.services = services;
    memory = new AssemblyMemory(services, share);
  }

  /**
   * Whether the message with these headers is wanted; if not, no payload of the message is taken,
   * and {@code refusing} was told why.
   */
  protected boolean isWanted(byte[] headers, long payloadBytes, Consumer<String> refusing) {
    return true;
  }

  private static String problem(int headersBytes, long payloadBytes, int most) {
    String length =
        payloadBytes == BodyTerms.UNKNOWN
            ? "a message of unknown length may have"
            : headersBytes + payloadBytes + " bytes of headers and payload are";
    return length + " more than millrace.transfers.message = " + most + " of its receiver";
  }

  /** The message is whole. */
  protected abstract void onMessage(byte[] headers, byte[] payload);

  @Override
  public final @Nullable BodyTarget onHeaders(
      BodyOpener opener, byte[] headers, long payloadBytes) {
    int most = services.settings().messageBytes();
    if (payloadBytes == BodyTerms.UNKNOWN || payloadBytes + headers.length > most) {
      opener.fail(CallOutcome.PAYLOAD_TOO_LARGE, problem(headers.length, payloadBytes, most));
      return null;
    }
    if (!isWanted(headers, payloadBytes, text -> opener.fail(CallOutcome.REFUSED, text))) {
      return null;
    }
    String problem = memory.reserve(headers.length + payloadBytes);
    if (problem != null) {
      opener.fail(CallOutcome.OVERLOADED, problem);
      return null;
    }
    this.headers = headers;
    try {
      payload = new byte[(int) payloadBytes];
    } catch (OutOfMemoryError e) {
      memory.release();
      throw e;
    }
    return this;
  }

  @Override
  public final void write(byte[] bytes, int offset, int length) {
    System.arraycopy(bytes, offset, payload, filled, length);
    filled += length;
  }

  @Override
  public final void complete() {
    memory.release();
  }

  @Override
  public final void abort(Throwable cause) {
    memory.release();
    payload = NO_BYTES;
  }

  @Override
  public final void onDelivered(long payloadBytes) {
    byte[] ownHeaders = headers;
    byte[] ownPayload = payload;
    headers = NO_BYTES;
    payload = NO_BYTES;
    onMessage(ownHeaders, ownPayload);
  }
}
