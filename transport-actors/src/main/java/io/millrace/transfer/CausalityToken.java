package io.millrace.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Names a transfer, so that others can wait for it. Opaque; it comes with a call, from a handler's
 * context, or from a {@code CausalityScope}. It holds no memory of the transport: a token may be
 * kept as long as one likes, and what it names is forgotten some time after its end. Two tokens are
 * equal if they name the same transfer. Any thread.
 */
public abstract class CausalityToken {
  private volatile @Nullable Object trace;

  /** For the engine. */
  protected CausalityToken() {}

  /**
   * What ties a chain of transfers together, the same on all nodes: 32 hexadecimal digits, those of
   * the node's incarnation and of the token where the chain began.
   */
  public abstract String correlationId();

  /** What tracing keeps with it, or null: names the span of its transfer. */
  public final @Nullable Object trace() {
    return trace;
  }

  /** Keeps this with it; for tracing. */
  public final void trace(Object context) {
    trace = context;
  }
}
