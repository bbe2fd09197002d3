package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.LinkModel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls in datagrams that are sent at once, cut to the MTU, and never again. A datagram has the id
 * of the call, the length of the message, the number of requested answer bytes ({@value #ANSWER} in
 * an answer), and payload.
 */
final class UdpBurstNode implements BurstNode {
  private static final int HEAD_BYTES = Long.BYTES + 2 * Integer.BYTES;
  private static final int ANSWER = -1;
  private static final int BUFFER_BYTES = 4 << 20;

  private final int pieceBytes;
  private final Selector selector = Selector.open();
  private final List<DatagramChannel> channels = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Map<Long, BurstCaller.Ending> calls = new ConcurrentHashMap<>();
  private final Map<Arriving, Integer> bytesArrived = new HashMap<>();
  private final ByteBuffer incoming;

  /** The key of a partly received message. */
  private record Arriving(SocketAddress from, long id) {}

  UdpBurstNode(BurstSite site) throws IOException {
    int datagramBytes = site.mtu() - LinkModel.DATAGRAM_OVERHEAD_BYTES;
    pieceBytes = datagramBytes - HEAD_BYTES;
    incoming = ByteBuffer.allocateDirect(datagramBytes);
    for (int i = 0; i < site.nodes(); i++) {
      DatagramChannel channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
      channel.bind(new InetSocketAddress(site.host(), 0));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
      addresses.add(site.host() + ":" + bound.getPort());
      channels.add(channel);
    }
    Thread.ofPlatform().daemon().name("burst-udp").start(this::select);
  }

  @Override
  public List<String> addresses() {
    return addresses;
  }

  @Override
  public List<BurstCaller> callers(List<String> targets, boolean isForProbes) {
    List<BurstCaller> callers = new ArrayList<>();
    for (String target : targets) {
      int colon = target.lastIndexOf(':');
      InetSocketAddress to =
          new InetSocketAddress(
              target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
      DatagramChannel channel = channels.get(callers.size() % channels.size());
      callers.add((request, isProbe, ending) -> call(channel, to, request, ending));
    }
    return callers;
  }

  @Override
  public void close() throws IOException {
    selector.close();
  }

  private void call(
      DatagramChannel channel, SocketAddress to, byte[] request, BurstCaller.Ending ending) {
    long id = lastId.incrementAndGet();
    calls.put(id, ending);
    try {
      send(channel, to, id, BurstCaller.answerBytes(request), request.length);
    } catch (IOException e) {
      System.err.println("burst: a datagram was not sent: " + e.getMessage());
    }
  }

  private void send(DatagramChannel channel, SocketAddress to, long id, int wanted, int bytes)
      throws IOException {
    for (int left = bytes; left > 0; left -= pieceBytes) {
      int length = Math.min(left, pieceBytes);
      ByteBuffer datagram = ByteBuffer.allocate(HEAD_BYTES + length);
      datagram.putLong(id).putInt(bytes).putInt(wanted).clear();
      while (channel.send(datagram, to) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private void select() {
    try {
      while (selector.isOpen()) {
        selector.select(this::onReady);
      }
    } catch (IOException e) {
      System.err.println("burst: the selector failed: " + e.getMessage());
    }
  }

  private void onReady(SelectionKey key) {
    DatagramChannel channel = (DatagramChannel) key.channel();
    try {
      incoming.clear();
      for (SocketAddress from = channel.receive(incoming);
          from != null;
          from = channel.receive(incoming)) {
        onDatagram(channel, from);
        incoming.clear();
      }
    } catch (IOException e) {
      System.err.println("burst: a datagram was not taken: " + e.getMessage());
    }
  }

  private void onDatagram(DatagramChannel channel, SocketAddress from) throws IOException {
    incoming.flip();
    long id = incoming.getLong();
    int bytes = incoming.getInt();
    int wanted = incoming.getInt();
    Arriving message = new Arriving(from, id);
    int arrived = bytesArrived.merge(message, incoming.remaining(), Integer::sum);
    if (arrived < bytes) {
      return;
    }
    bytesArrived.remove(message);
    if (wanted != ANSWER) {
      send(channel, from, id, ANSWER, wanted);
      return;
    }
    BurstCaller.Ending ending = calls.remove(id);
    if (ending != null) {
      ending.onEnd(BurstCaller.End.DONE);
    }
  }
}
