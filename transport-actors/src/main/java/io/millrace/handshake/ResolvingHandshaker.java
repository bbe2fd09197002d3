package io.millrace.handshake;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Calls a peer with a name at each address that the name has at the call: the address that answered
 * last, then the others in the order of the name service. The first address that answers ends the
 * call. A numeric address is called directly, on the caller's thread; a thread of its own asks for
 * a name, since the question may block.
 */
public final class ResolvingHandshaker implements Handshaker {
  private final Handshaker handshaker;
  private final Resolver resolver;

  /**
   * By name, the address that answered, if another than the name's first; names are the
   * application's.
   */
  private final ConcurrentHashMap<String, InetAddress> answered = new ConcurrentHashMap<>();

  /** The name service. */
  public interface Resolver {
    /** All addresses of a host, the preferred address first; at least 1. */
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /** Owns the handshaker that calls addresses. */
  public ResolvingHandshaker(Handshaker handshaker, Resolver resolver) {
    this.handshaker = handshaker;
    this.resolver = resolver;
  }

  @Override
  public InetSocketAddress localAddress() {
    return handshaker.localAddress();
  }

  @Override
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    if (isNumeric(remote)) {
      handshaker.connect(remote, localAdvert, onOutcome);
      return;
    }
    if (localAdvert.length > maxAdvertBytes()) {
      throw new IllegalArgumentException("the advert has " + localAdvert.length + " bytes");
    }
    Calls calls = new Calls(remote, localAdvert.clone(), onOutcome);
    Thread.ofVirtual().name("millrace-resolve").start(calls::begin);
  }

  private static boolean isNumeric(InetSocketAddress remote) {
    return remote.getAddress() != null
        && remote.getHostString().equals(remote.getAddress().getHostAddress());
  }

  @Override
  public int maxAdvertBytes() {
    return handshaker.maxAdvertBytes();
  }

  @Override
  public void close() {
    handshaker.close();
  }

  /**
   * The addresses of the name, one after the other. Each call begins at the end of the call before.
   */
  private final class Calls {
    private final InetSocketAddress remote;
    private final byte[] localAdvert;
    private final Consumer<HandshakeOutcome> onOutcome;
    private final Deque<InetAddress> left = new ArrayDeque<>();
    private final List<String> failures = new ArrayList<>();
    private int addresses;

    private Calls(
        InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
      this.remote = remote;
      this.localAdvert = localAdvert;
      this.onOutcome = onOutcome;
    }

    private void begin() {
      try {
        left.addAll(List.of(resolver.all(remote.getHostString())));
      } catch (UnknownHostException e) {
        // The name had an address once, and may still have the address.
        if (remote.getAddress() != null) {
          left.add(remote.getAddress());
        }
      }
      addresses = left.size();
      InetAddress last = answered.get(remote.getHostString());
      if (last != null && left.remove(last)) {
        left.addFirst(last);
      }
      next(HandshakeFailure.NO_ANSWER);
    }

    private void next(HandshakeFailure cause) {
      InetAddress address = left.poll();
      if (address == null) {
        onOutcome.accept(new HandshakeOutcome.Failed(reason(), cause));
        return;
      }
      handshaker.connect(
          new InetSocketAddress(address, remote.getPort()),
          localAdvert,
          outcome -> onOutcome(address, outcome));
    }

    private void onOutcome(InetAddress address, HandshakeOutcome outcome) {
      if (outcome instanceof HandshakeOutcome.Failed failed
          && failed.cause() != HandshakeFailure.CLOSED) {
        failures.add(
            addresses == 1
                ? failed.reason()
                : "at " + address.getHostAddress() + ": " + failed.reason());
        next(failed.cause());
        return;
      }
      if (!failures.isEmpty()) {
        answered.put(remote.getHostString(), address);
      }
      onOutcome.accept(outcome);
    }

    private String reason() {
      return failures.isEmpty()
          ? "the host " + remote.getHostString() + " is unknown"
          : (addresses == 1 ? "" : remote.getHostString() + " was called ")
              + String.join("; ", failures);
    }
  }
}
