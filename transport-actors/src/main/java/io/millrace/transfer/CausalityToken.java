package io.millrace.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Names a transfer, so that other transfers can wait for this transfer. Opaque; a token comes with
 * a call, from a handler's context, or from a {@code CausalityScope}. A token holds no memory of
 * the transport: an application may keep a token without a limit of time, and the transport forgets
 * the named transfer some time after its end. Two tokens are equal if they name the same transfer.
 * Any thread.
 */
public abstract class CausalityToken {
  private volatile @Nullable Object trace;

  /** For the engine. */
  protected CausalityToken() {}

  /**
   * Returns the identifier of a chain of transfers, the same on all nodes: 32 hexadecimal digits,
   * made of the node's incarnation and of the token where the chain began.
   */
  public abstract String correlationId();

  /**
   * Returns the context that tracing keeps with the token, or null: the context names the span of
   * the transfer.
   */
  public final @Nullable Object trace() {
    return trace;
  }

  /** Keeps this context with the token; for tracing. */
  public final void trace(Object context) {
    trace = context;
  }
}
