package io.millrace.efa;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.ofi.FabricInfo;

/**
 * All bounds of an endpoint, from the settings and the provider's grant.
 *
 * @param datagramBytes largest message
 * @param trainBytes bytes of a send buffer
 * @param trainPackets datagrams of a train
 * @param sendBuffers send buffers
 * @param window the number of operations that may be posted and not yet complete
 * @param receives the number of receive buffers kept posted
 * @param writeBytes bytes of one-sided writes that may be posted and not yet complete; a single
 *     write is always allowed
 * @param notReady the treatment of receivers without a free buffer
 */
record EndpointSizes(
    int datagramBytes,
    int trainBytes,
    int trainPackets,
    int sendBuffers,
    int window,
    int receives,
    long writeBytes,
    NotReadySettings notReady) {
  private static final int MAX_TRAIN_BYTES = 1 << 16;
  private static final int MAX_WINDOW = 1024;
  private static final int MIN_RECEIVES = 16;
  private static final int MAX_RECEIVES = 1024;

  /**
   * Decides the bounds.
   *
   * @throws DriverException if the settings leave no buffers to send or receive
   */
  static EndpointSizes of(FabricInfo info, EndpointSettings settings) throws DriverException {
    if (settings.sendBuffers() < 1 || settings.maxDatagramBytes() < 1) {
      throw new DriverException(
          "an endpoint needs a send buffer and datagrams of a byte, not %d and %d"
              .formatted(settings.sendBuffers(), settings.maxDatagramBytes()));
    }
    int most =
        Math.min(
            settings.maxDatagramBytes(), ProviderTraits.of(info.provider()).maxDatagramBytes());
    int datagram = clamp(info.limits().messageBytes(), 1, most);
    int packets = Math.max(1, settings.maxTrainPackets());
    int train = (int) Math.max(datagram, Math.min((long) packets * datagram, MAX_TRAIN_BYTES));
    int wanted = clamp(settings.receiveBufferBytes() / datagram, MIN_RECEIVES, MAX_RECEIVES);
    return new EndpointSizes(
        datagram,
        train,
        packets,
        settings.sendBuffers(),
        clamp(info.limits().transmitEntries(), 1, MAX_WINDOW),
        clamp(info.limits().receiveEntries(), 1, wanted),
        Math.max(1, settings.sendBufferBytes()),
        settings.notReady());
  }

  /**
   * Returns the number of completions that may wait in the queue: the completions of this
   * endpoint's operations, and the same number by peers.
   */
  int completionEntries() {
    return 2 * (window + receives);
  }

  Capabilities capabilities() {
    return new Capabilities(
        datagramBytes, trainPackets, trainBytes, false, false, false, false, true);
  }

  /** Whether the endpoint takes a train of this size. */
  boolean allowsTrain(int length, int segmentLength) {
    return length > 0
        && length <= trainBytes
        && segmentLength > 0
        && Math.min(segmentLength, length) <= datagramBytes
        && (length - 1) / segmentLength < trainPackets;
  }

  /** Returns the unsigned {@code value}, limited to the bounds. */
  private static int clamp(long value, int least, int most) {
    if (value < 0) {
      return most;
    }
    return (int) Math.max(least, Math.min(value, most));
  }
}
