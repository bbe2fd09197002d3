package io.millrace.engine;

import io.millrace.event.EventSubscribers;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.node.DrainReport;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.PeerText;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the log the events that a server's operator should see without a subscription:
 * handlers that throw, refused handshakes, dead peers, lacks of the node, stopped workers. Each
 * cause is told seldom. The log is a subscriber with a thread of its own, so an appender that
 * blocks keeps nobody.
 */
final class EventLog implements TransportEvents {
  /** The name of the logger. */
  static final String LOGGER = "io.millrace.events";

  /** Events that may wait for an appender. */
  static final int QUEUED_EVENTS = 256;

  private final Logger log;
  private final Supplier<String> mark;

  /**
   * Creates a log.
   *
   * @param mark the words in front of each line, as {@link NodeEnvironment#logMark}
   */
  EventLog(Logger log, Supplier<String> mark) {
    this.log = log;
    this.mark = mark;
  }

  /** Subscribes a log to these events. */
  static void subscribe(EventSubscribers events, Supplier<String> mark) {
    events.addForRare(new EventLog(LoggerFactory.getLogger(LOGGER), mark), QUEUED_EVENTS);
  }

  @Override
  public void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {
    log.error(
        "{}The {} handler of route {} failed a call of {}, number {} that it failed: {}",
        mark.get(),
        pattern,
        route,
        peer,
        count,
        PeerText.of(fault.toString()),
        fault);
  }

  /** Logs the remains of a drain, before the drained node closes. */
  static void onDrained(Duration limit, @Nullable DrainReport left, String mark) {
    if (left != null && !left.isComplete()) {
      LoggerFactory.getLogger(LOGGER)
          .warn(
              "{}Closing, though a drain of {} ms left {} transfers of peers and {} of this node"
                  + " under way; peers that may have more: {}",
              mark,
              limit.toMillis(),
              left.served(),
              left.calls(),
              left.undecidedPeers());
    }
  }

  @Override
  public void onPeerHealth(PeerHealthChange change) {
    if (change.to() == PeerHealth.FAILED) {
      log.warn(
          "{}Gave up the peer {} ({}): what was under way with it has failed",
          mark.get(),
          change.peer(),
          change.cause());
    }
  }

  @Override
  public void onNicChanged(int worker, String nic, boolean isUp) {
    if (isUp) {
      log.info("{}NIC {} is up again, as worker {} sees it", mark.get(), nic, worker);
    } else {
      log.warn(
          "{}NIC {} is down, as worker {} sees it: its peers go another way",
          mark.get(),
          nic,
          worker);
    }
  }

  @Override
  public void onResourceMissing(String resource, String reason, String mode) {
    log.debug("{}Missing: {} ({}); {}", mark.get(), resource, reason, mode);
  }

  @Override
  public void onRegistrationRefused(
      int worker,
      String memory,
      String cause,
      long wantedBytes,
      long registeredBytes,
      String reason,
      String remedy) {
    log.warn(
        "{}Worker {} could not register {} bytes of its {} beside the {} bytes that are registered"
            + " ({}); messages carry the bytes meanwhile. Remedy: {}. The driver says: {}",
        mark.get(),
        worker,
        wantedBytes,
        memory,
        registeredBytes,
        cause,
        remedy,
        reason);
  }

  @Override
  public void onRegistrationRestored(int worker, String memory, long reducedNs) {
    log.info(
        "{}Worker {} registers its {} again, after {} ms",
        mark.get(),
        worker,
        memory,
        Duration.ofNanos(reducedNs).toMillis());
  }

  @Override
  public void onWorkerStopped(int worker, String reason) {
    log.error(
        "{}Worker {} has stopped and does not start again, what was under way with its peers has"
            + " failed with WORKER_STOPPED; restart the node: {}",
        mark.get(),
        worker,
        reason);
  }

  @Override
  public void onCertificatesReloaded(boolean used, String detail) {
    if (used) {
      log.info("{}The certificates have changed and are in use: {}", mark.get(), detail);
    } else {
      log.error(
          "{}The certificates have changed and cannot be used; the former are: {}",
          mark.get(),
          detail);
    }
  }

  @Override
  public void onAccessDenied(String peer, String route, String pattern, String reason, long count) {
    log.warn(
        "{}Denied {} to {} of route {}, number {} that was denied to its host: {}",
        mark.get(),
        peer,
        pattern,
        route,
        count,
        reason);
  }

  @Override
  public void onAccessPolicyFault(String peer, Throwable fault) {
    log.error("{}The policy that authorises peers threw, which denies {}", mark.get(), peer, fault);
  }

  @Override
  public void onHandshakeRefused(String remote, String reason, long count) {
    log.warn(
        "{}Refused a handshake of {}, number {} that was refused to its host: {}",
        mark.get(),
        remote,
        count,
        reason);
  }
}
