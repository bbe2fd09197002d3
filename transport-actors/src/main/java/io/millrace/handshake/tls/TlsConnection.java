package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.certificates.AlertReasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection on its way through TLS to a frame in each direction. The connection turns the
 * engine with the socket's bytes; signatures and key exchanges run on other threads, and meanwhile
 * the connection rests. After its failure or its end the connection only says so to the peer, and
 * waits for the peer to close, because a reset would overtake the reason. All methods on the
 * handshaker's thread.
 */
final class TlsConnection {
  /** How long a peer that was told the end may take to close. */
  static final long LINGER_NS = 1_000_000_000L;

  private static final int NOT_SECURE = 0;
  private static final int SECURE = 1;
  private static final int LINGERING = 2;
  private static final int CLOSED = 3;

  private final TlsLoop loop;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final TlsRole role;
  private final long age;
  private final AdvertFrames frames = new AdvertFrames();
  private TlsEngines.@Nullable Prepared side;
  private @Nullable ByteBuffer incoming;
  private @Nullable ByteBuffer outgoing;
  private volatile int phase = NOT_SECURE;
  private boolean begun;
  private boolean tasksRunning;
  private boolean outputShut;
  private long deadlineNs;
  private int bytesRead;
  private long sentNs;
  private long roundTripNs;

  /** A connected channel; nothing happens before {@link #begin}. */
  TlsConnection(
      TlsLoop loop, SocketChannel channel, SelectionKey key, TlsRole role, long deadlineNs) {
    this.loop = loop;
    this.channel = channel;
    this.key = key;
    this.role = role;
    this.deadlineNs = deadlineNs;
    age = loop.nextAge();
  }

  long age() {
    return age;
  }

  /** The engine is ready. */
  void begin(TlsEngines.Prepared prepared) {
    if (phase != NOT_SECURE) {
      return;
    }
    side = prepared;
    incoming = ByteBuffer.allocate(prepared.engine().getSession().getPacketBufferSize()).flip();
    try {
      if (role.isInitiator()) {
        onFreshSecret();
      }
      prepared.engine().beginHandshake();
      pump();
    } catch (SSLException e) {
      onSslException(e);
    }
  }

  /** The socket can be read or written, or tasks have ended. */
  void pump() {
    SSLEngine engine = side == null ? null : side.engine();
    if (phase == CLOSED || engine == null || tasksRunning) {
      return;
    }
    try {
      boolean more = true;
      while (more) {
        more =
            phase != CLOSED
                && !tasksRunning
                && flush()
                && (phase == LINGERING ? drain() : step(engine));
      }
    } catch (SSLException e) {
      onSslException(e);
    } catch (IOException e) {
      onLost();
    }
  }

  /** A step of the engine; false if the step has to wait. */
  private boolean step(SSLEngine engine) throws IOException {
    HandshakeStatus status = engine.getHandshakeStatus();
    return switch (status) {
      case NEED_TASK -> {
        runTasks(engine);
        yield false;
      }
      case NEED_WRAP -> wrap(engine, ByteBuffer.allocate(0));
      case FINISHED, NOT_HANDSHAKING, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        if (status == HandshakeStatus.NOT_HANDSHAKING && begun && phase == NOT_SECURE) {
          onSecure();
          yield true;
        }
        yield unwrap(engine);
      }
    };
  }

  private void runTasks(SSLEngine engine) {
    onFreshSecret();
    rest(
        () -> {
          Runnable task = phase == CLOSED ? null : engine.getDelegatedTask();
          while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
          }
        },
        () -> {});
  }

  /**
   * Runs a long task on another thread; meanwhile nothing is read or written here.
   *
   * @param then takes the result on this thread; not called if the work threw, or if the connection
   *     ended or failed meanwhile
   * @param unused takes the result if the connection ended or failed meanwhile
   */
  <T> void compute(Supplier<T> work, Consumer<T> then, Consumer<T> unused) {
    AtomicReference<@Nullable T> made = new AtomicReference<>();
    rest(
        () -> made.set(work.get()),
        () -> {
          T result = made.get();
          if (result != null) {
            (phase == SECURE ? then : unused).accept(result);
          } else if (phase == SECURE) {
            role.onFailure("this node's key exchange failed", HandshakeFailure.REFUSED);
            close();
          }
        });
  }

  private void rest(Runnable work, Runnable then) {
    tasksRunning = true;
    key.interestOps(0);
    boolean taken =
        loop.execute(
            age,
            work,
            () -> {
              tasksRunning = false;
              then.run();
              pump();
            });
    if (!taken) {
      role.onFailure(TlsRole.TOO_BUSY, HandshakeFailure.TOO_MANY_HANDSHAKES);
      close();
    }
  }

  /** Before the first random bytes of this side. */
  private void onFreshSecret() {
    if (!begun) {
      begun = true;
      role.onFreshSecret();
    }
  }

  private boolean wrap(SSLEngine engine, ByteBuffer clear) throws SSLException {
    ByteBuffer scratch = loop.sealedScratch();
    SSLEngineResult result;
    try {
      result = engine.wrap(clear, scratch);
    } catch (RuntimeException e) {
      throw new SSLException("the TLS of this JDK failed", e);
    }
    keep(scratch.flip());
    return result.getStatus() != SSLEngineResult.Status.CLOSED;
  }

  private void keep(ByteBuffer sealed) {
    if (sealed.hasRemaining()) {
      ByteBuffer before = outgoing;
      int waiting = before == null ? 0 : before.remaining();
      ByteBuffer both = ByteBuffer.allocate(waiting + sealed.remaining());
      if (before != null) {
        both.put(before);
      }
      outgoing = both.put(sealed).flip();
      if (sentNs == 0) {
        sentNs = loop.nowNs();
      }
    }
  }

  /** Whether all bytes to send are on their way. */
  private boolean flush() throws IOException {
    ByteBuffer waiting = outgoing;
    if (waiting == null) {
      return true;
    }
    channel.write(waiting);
    if (waiting.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
      return false;
    }
    outgoing = null;
    return true;
  }

  private boolean unwrap(SSLEngine engine) throws IOException {
    ByteBuffer sealed = incoming;
    if (sealed == null) {
      return false;
    }
    ByteBuffer clear = loop.clearScratch();
    SSLEngineResult result;
    try {
      result = engine.unwrap(sealed, clear);
    } catch (RuntimeException e) {
      throw new SSLException("the peer sent bytes that are no TLS", e);
    }
    return switch (result.getStatus()) {
      case BUFFER_UNDERFLOW -> hasRead(sealed);
      case BUFFER_OVERFLOW -> throw new SSLException("a record is too long");
      case CLOSED -> {
        onEnd();
        yield false;
      }
      case OK -> {
        onClear(clear.flip());
        yield result.bytesConsumed() > 0
            || engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP
            || hasRead(sealed);
      }
    };
  }

  private boolean hasRead(ByteBuffer sealed) throws IOException {
    sealed.compact();
    int count = channel.read(sealed);
    sealed.flip();
    if (count < 0) {
      onEnd();
      return false;
    }
    if (count == 0) {
      key.interestOps(SelectionKey.OP_READ);
      return false;
    }
    bytesRead += count;
    if (sentNs != 0 && roundTripNs == 0) {
      roundTripNs = loop.nowNs() - sentNs;
    }
    TlsLimits limits = loop.limits();
    if (bytesRead > (phase == NOT_SECURE ? limits.strangerBytes() : limits.peerBytes())) {
      fail("sent too much", HandshakeFailure.MALFORMED);
      return false;
    }
    return true;
  }

  private void onClear(ByteBuffer clear) {
    if (!clear.hasRemaining()) {
      return;
    }
    if (phase == NOT_SECURE) {
      onSecure();
    }
    byte[] frame = frames.take(clear);
    if (phase == SECURE && (frame != null || frames.isMalformed())) {
      role.onFrame(frame);
    }
  }

  private void onSecure() {
    phase = SECURE;
    role.onSecure();
  }

  /** The time from the first sending to the first answer, ns; 0 before an answer. */
  long roundTripNs() {
    return roundTripNs;
  }

  /** The peer's certificate; once both sides are authenticated. */
  X509Certificate peerCertificate() throws SSLException {
    return (X509Certificate) prepared().engine().getSession().getPeerCertificates()[0];
  }

  /** The protocol that both sides chose by ALPN, or an empty text. */
  String applicationProtocol() {
    String chosen = prepared().engine().getApplicationProtocol();
    return chosen == null ? "" : chosen;
  }

  /** The secret of the connection for this context; to be overwritten. */
  byte[] export(byte[] context) throws SSLException {
    return ((ExtendedSSLSession) prepared().engine().getSession())
        .exportKeyingMaterialData(
            CertifiedExchange.EXPORTER_LABEL, context, CertifiedExchange.EXPORTED_BYTES);
  }

  /** Seals and sends a frame, now or when the socket takes the frame. */
  void send(byte[] frame) {
    ByteBuffer clear = ByteBuffer.wrap(frame);
    try {
      while (clear.hasRemaining()) {
        if (!wrap(prepared().engine(), clear)) {
          throw new SSLException("TLS was closed");
        }
      }
    } catch (SSLException e) {
      onSslException(e);
    }
  }

  private TlsEngines.Prepared prepared() {
    if (side == null) {
      throw new IllegalStateException("TLS has not begun");
    }
    return side;
  }

  /** Both sides have said all: closes after the peer has read the last frame. */
  void finish() {
    if (phase == LINGERING || phase == CLOSED) {
      return;
    }
    phase = LINGERING;
    deadlineNs = loop.nowNs() + LINGER_NS;
    try {
      SSLEngine engine = prepared().engine();
      engine.closeOutbound();
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
          && wrap(engine, ByteBuffer.allocate(0))) {
        // until the alert is written
      }
    } catch (SSLException e) {
      // The peer learns by the end of the connection.
      close();
    }
  }

  /** Reads and drops bytes until the peer closes. */
  private boolean drain() throws IOException {
    if (!outputShut) {
      outputShut = true;
      channel.shutdownOutput();
    }
    int count = channel.read(loop.clearScratch());
    if (count > 0) {
      bytesRead += count;
    }
    if (count < 0 || bytesRead > 2 * loop.limits().peerBytes()) {
      close();
      return false;
    }
    if (count == 0) {
      key.interestOps(SelectionKey.OP_READ);
    }
    return count > 0;
  }

  private void onSslException(SSLException e) {
    if (phase == LINGERING || phase == CLOSED || side == null) {
      close();
      return;
    }
    ByteBuffer first = incoming;
    PlainText plain =
        role.isInitiator() || phase != NOT_SECURE || first == null ? null : PlainText.of(first);
    if (plain == null) {
      AlertReasons.Reason reason = TlsReasons.of(e, side);
      role.onFailure(reason.text(), reason.cause());
    } else {
      role.onFailure(plain.reason(), HandshakeFailure.NO_ANSWER);
      keep(ByteBuffer.wrap(plain.answer()));
    }
    finish();
    flushOrClose();
  }

  private void flushOrClose() {
    try {
      if (phase == LINGERING && flush()) {
        key.interestOps(SelectionKey.OP_READ);
      }
    } catch (IOException e) {
      close();
    }
  }

  private void fail(String whatItDid, HandshakeFailure cause) {
    role.onFailure(role.peer() + " " + whatItDid, cause);
    finish();
    flushOrClose();
  }

  /** The peer has closed before all was said. */
  private void onEnd() {
    boolean unheard = phase != LINGERING && bytesRead == 0;
    if (phase != LINGERING && bytesRead > 0) {
      role.onFailure(role.peer() + " " + TlsRole.CLOSED_EARLY, HandshakeFailure.NO_ANSWER);
    }
    close();
    if (unheard) {
      role.onUnheard();
    }
  }

  private void onLost() {
    if (phase != LINGERING) {
      onEnd();
    } else {
      close();
    }
  }

  /** Whether the connection's time is up. */
  boolean isOverdue(long nowNs) {
    return nowNs - deadlineNs >= 0;
  }

  void onOverdue() {
    if (phase != LINGERING) {
      role.onFailure(role.peer() + " " + TlsRole.TOO_SLOW, HandshakeFailure.NO_ANSWER);
    }
    close();
  }

  boolean isClosed() {
    return phase == CLOSED;
  }

  /** At once and without a word. */
  void close() {
    if (phase != CLOSED) {
      phase = CLOSED;
      key.cancel();
      try {
        channel.close();
      } catch (IOException e) {
        // The channel is gone in any case.
        outgoing = null;
      }
      loop.onClosed(this);
    }
  }
}
