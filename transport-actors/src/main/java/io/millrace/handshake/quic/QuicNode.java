package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeListener;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import io.netty.channel.Channel;
import io.netty.handler.codec.quic.QuicChannel;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The common state of a handshaker's connections. Event loop thread only.
 *
 * @param listener the listener of the node
 * @param exchange the exchange of both sides after their authentication
 * @param tls of all connections
 * @param timeoutNs after how long a handshake that is not done has failed, ns
 */
record QuicNode(
    HandshakeListener listener, CertifiedExchange exchange, QuicTls tls, long timeoutNs) {
  /**
   * Exports the key material of the path secret from a connection, once; null if TLS has told no
   * secret.
   */
  static byte @Nullable [] export(TlsFacts facts, KeyAgreement agreement) {
    return facts.export(
        CertifiedExchange.EXPORTER_LABEL, agreement.context(), CertifiedExchange.EXPORTED_BYTES);
  }

  /** Whether both sides of a connection, which is authenticated, do ML-KEM-768. */
  static boolean isHybrid(QuicChannel connection) {
    SSLEngine engine = connection.sslEngine();
    String chosen = engine == null ? null : engine.getApplicationProtocol();
    return chosen != null && KeyAgreement.isHybrid(chosen);
  }

  /**
   * Closes a connection soon. Never at once: Netty sends nothing during a sending, and an exception
   * of TLS comes just then, so that the peer would never learn why.
   */
  static void closeSoon(Channel connection) {
    connection
        .eventLoop()
        .execute(
            () -> {
              var _ = connection.close();
            });
  }

  /** Runs work that may throw because of a peer's input: an exception harms no other handshake. */
  void guarded(Runnable work) {
    guarded(listener, work);
  }

  /** The same for a listener, whatever the listener's reaction to a fault. */
  static void guarded(HandshakeListener listener, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      report(listener, e);
    }
  }

  /** Tells the listener of a fault. */
  void report(Throwable fault) {
    report(listener, fault);
  }

  private static void report(HandshakeListener listener, Throwable fault) {
    try {
      listener.onFault(fault);
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
