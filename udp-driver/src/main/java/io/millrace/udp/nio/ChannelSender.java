package io.millrace.udp.nio;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.udp.internal.DestinationTable;
import io.millrace.udp.internal.Train;
import io.millrace.udp.internal.TrainQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Cuts posted trains into datagrams and sends them one by one, each by the channel of its source
 * port. Owned by the endpoint.
 */
final class ChannelSender {
  /** The number of flushes without room for a datagram before the driver gives the datagram up. */
  private static final int MAX_BLOCKED_FLUSHES = 4_096;

  private final DatagramChannel[] channels;
  private final TrainQueue trains;
  private final DestinationTable destinations;
  private final EndpointCounters counters;
  private final ByteBuffer[] views;

  ChannelSender(
      DatagramChannel[] channels,
      TrainQueue trains,
      DestinationTable destinations,
      EndpointCounters counters) {
    this.channels = channels;
    this.trains = trains;
    this.destinations = destinations;
    this.counters = counters;
    views = new ByteBuffer[trains.capacity()];
    for (int i = 0; i < views.length; i++) {
      views[i] = trains.view(i);
    }
  }

  /** Sends the posted trains, up to the first datagram without room in the socket. */
  void flush() {
    boolean hasRoom = true;
    for (int i = 0; i < trains.postedCount() && hasRoom; i++) {
      hasRoom = send(trains.posted(i));
    }
    trains.retireHandled();
  }

  /** Fails the posted trains to this destination. */
  void abandon(int destination) {
    for (int i = 0; i < trains.postedCount(); i++) {
      Train train = trains.posted(i);
      if (train.destination() == destination && !train.isHandled()) {
        fail(train, train.remainingBytes());
      }
    }
    trains.retireHandled();
  }

  private boolean send(Train train) {
    if (train.isHandled()) {
      return true;
    }
    InetSocketAddress address = destinations.address(train.destination());
    ByteBuffer view = views[train.index()];
    while (!train.isHandled()) {
      int bytes = train.nextSegmentBytes();
      view.limit(train.handledBytes() + bytes).position(train.handledBytes());
      if (!send(view, address, train, bytes)) {
        return false;
      }
    }
    return true;
  }

  private boolean send(ByteBuffer view, InetSocketAddress address, Train train, int bytes) {
    try {
      counters.sendCalls++;
      if (channels[train.sourcePort()].send(view, address) == bytes) {
        train.onSent(bytes);
        counters.datagramsSent++;
        counters.bytesSent += bytes;
        return true;
      }
    } catch (PortUnreachableException e) {
      // An error of an earlier datagram, perhaps to another destination: this datagram did not go
      // out yet.
    } catch (IOException e) {
      fail(train, bytes);
      return true;
    }
    if (train.onBlocked() >= MAX_BLOCKED_FLUSHES) {
      fail(train, bytes);
      return true;
    }
    return false;
  }

  private void fail(Train train, int bytes) {
    counters.sendFailures += train.segmentsIn(bytes);
    train.onFailed(bytes, CompletionHandler.STATUS_FAILED);
  }
}
