package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.kem.PostQuantum;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A side of handshakes over real sockets: the node remembers all outcomes and refusals. */
public final class HandshakeNode implements HandshakeListener, AutoCloseable {
  private static final long WAIT_S = 60;
  private static final AtomicLong INCARNATIONS = new AtomicLong(1);

  public final BlockingQueue<HandshakeOutcome.Established> paths = new LinkedBlockingQueue<>();
  public final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();
  public final BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();
  public final BlockingQueue<String> reloads = new LinkedBlockingQueue<>();
  public final AtomicLong epoch = new AtomicLong();
  public final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  public volatile @Nullable HandshakeRefusal refusal;
  public volatile @Nullable RuntimeException thrown;
  private final long incarnation = INCARNATIONS.getAndIncrement();
  private final Handshaker handshaker;
  private volatile String identity;

  /** Listens on a free port of this address. */
  public HandshakeNode(
      HandshakeProvider provider, HandshakeCredentials credentials, String host, long timeoutNs)
      throws HandshakeException {
    this(provider, credentials, host, timeoutNs, HandshakeLimits.DEFAULT);
  }

  /** A node with these limits on strangers' handshakes. */
  public HandshakeNode(
      HandshakeProvider provider,
      HandshakeCredentials credentials,
      String host,
      long timeoutNs,
      HandshakeLimits limits)
      throws HandshakeException {
    this(provider, credentials, host, timeoutNs, limits, PostQuantum.ON);
  }

  /** A node with this key exchange. */
  public HandshakeNode(
      HandshakeProvider provider,
      HandshakeCredentials credentials,
      String host,
      long timeoutNs,
      HandshakeLimits limits,
      PostQuantum postQuantum)
      throws HandshakeException {
    identity = host;
    handshaker =
        provider.open(
            new HandshakeSettings(
                new InetSocketAddress(host, 0),
                credentials,
                incarnation,
                timeoutNs,
                limits,
                postQuantum),
            this);
    callItself(host);
  }

  /** Adverts name this host from now on. */
  public void callItself(String host) {
    identity = (host.contains(":") ? "[" + host + "]" : host) + ":" + address().getPort();
  }

  public String identity() {
    return identity;
  }

  public InetSocketAddress address() {
    return handshaker.localAddress();
  }

  public Handshaker handshaker() {
    return handshaker;
  }

  @Override
  public @Nullable HandshakeRefusal refusal() {
    return refusal;
  }

  @Override
  public byte[] advert() {
    return AdvertCodec.encode(
        new Advert(
            0,
            incarnation,
            0,
            0,
            1_400,
            AesKeySize.AES_128,
            512,
            CreditTerms.ENDLESS,
            List.of(),
            identity));
  }

  @Override
  public long epoch() {
    return epoch.incrementAndGet();
  }

  @Override
  public void onEstablished(HandshakeOutcome.Established path) {
    threads.add(Thread.currentThread());
    RuntimeException fault = thrown;
    if (fault != null) {
      throw fault;
    }
    paths.add(path);
  }

  @Override
  public void onRefused(InetSocketAddress remote, String reason) {
    threads.add(Thread.currentThread());
    refusals.add(reason);
  }

  @Override
  public void onCredentialsReloaded(boolean used, String detail) {
    reloads.add(used + ": " + detail);
  }

  @Override
  public void onFault(Throwable fault) {
    faults.add(fault);
  }

  /** Begins a handshake with the usual advert. */
  public CompletableFuture<HandshakeOutcome> begin(InetSocketAddress to) {
    return begin(to, advert());
  }

  public CompletableFuture<HandshakeOutcome> begin(InetSocketAddress to, byte[] advert) {
    CompletableFuture<HandshakeOutcome> outcome = new CompletableFuture<>();
    handshaker.connect(
        to,
        advert,
        told -> {
          threads.add(Thread.currentThread());
          if (!outcome.complete(told)) {
            faults.add(new AssertionError("a second outcome: " + told));
          }
        });
    return outcome;
  }

  public HandshakeOutcome.Established connect(HandshakeNode to) throws Exception {
    return assertInstanceOf(
        HandshakeOutcome.Established.class, begin(to.address()).get(WAIT_S, TimeUnit.SECONDS));
  }

  public HandshakeOutcome.Failed fail(InetSocketAddress to) throws Exception {
    return assertInstanceOf(HandshakeOutcome.Failed.class, begin(to).get(WAIT_S, TimeUnit.SECONDS));
  }

  /** Takes the next entry of a queue, within a minute. */
  public static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    return Objects.requireNonNull(queue.poll(WAIT_S, TimeUnit.SECONDS), "nothing came in time");
  }

  @Override
  public void close() {
    handshaker.close();
  }
}
