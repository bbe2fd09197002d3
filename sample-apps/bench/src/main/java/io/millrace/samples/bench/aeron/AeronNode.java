package io.millrace.samples.bench.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.millrace.samples.bench.peer.PeerSite;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.NoOpIdleStrategy;

/**
 * A media driver and a client without threads of their own: {@link #turn} runs both. Confined to
 * the duty thread once open.
 */
final class AeronNode implements AutoCloseable {
  /** The settings of both sides, as text for the report. */
  static final String SETTINGS =
      "terms of 1 MiB (small enough for the cache), socket buffers and receiver window 2 MiB,"
          + " buffers touched in advance, in /dev/shm, bounds checks off,"
          + " no executor beside the conductor";

  static final int REQUEST_STREAM = 10;
  static final int RESPONSE_STREAM = 11;
  private static final int TERM_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 2 << 20;
  private static final int CLIENT_TURN_MASK = 63;

  private final MediaDriver driver;
  private final AgentInvoker driverInvoker;
  private final Aeron aeron;
  private final AgentInvoker clientInvoker;
  private int turns;

  private AeronNode(MediaDriver driver, Aeron aeron) {
    this.driver = driver;
    this.aeron = aeron;
    driverInvoker = driver.sharedAgentInvoker();
    clientInvoker = aeron.conductorAgentInvoker();
  }

  static AeronNode open(PeerSite site, int mtuBytes) {
    String directory = site.directory().resolve("aeron").toString();
    MediaDriver driver =
        MediaDriver.launchEmbedded(
            new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.INVOKER)
                .sharedIdleStrategy(NoOpIdleStrategy.INSTANCE)
                .asyncExecutorEnabled(false)
                .termBufferSparseFile(false)
                .performStorageChecks(false)
                .publicationTermBufferLength(TERM_BYTES)
                .socketSndbufLength(BUFFER_BYTES)
                .socketRcvbufLength(BUFFER_BYTES)
                .initialWindowLength(BUFFER_BYTES)
                .mtuLength(mtuBytes));
    Aeron aeron =
        Aeron.connect(
            new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .preTouchMappedMemory(true));
    return new AeronNode(driver, aeron);
  }

  Subscription subscribe(int port, int stream) {
    return aeron.addSubscription(channel(port), stream);
  }

  ExclusivePublication publish(int port, int stream) {
    return aeron.addExclusivePublication(channel(port), stream);
  }

  /** Runs a duty cycle: sends the claimed datagrams, and receives the arrived ones. */
  void turn() {
    driverInvoker.invoke();
    // the client's conductor only answers to commands and timers: rarely is enough
    if ((++turns & CLIENT_TURN_MASK) == 0) {
      clientInvoker.invoke();
    }
  }

  /** Runs a duty cycle of driver and client, while waiting for connections or asleep. */
  void slowTurn() {
    driverInvoker.invoke();
    clientInvoker.invoke();
  }

  @Override
  public void close() {
    aeron.close();
    driver.close();
  }

  private static String channel(int port) {
    return new ChannelUriStringBuilder()
        .media(CommonContext.UDP_MEDIA)
        .endpoint("127.0.0.1:" + port)
        .build();
  }
}
