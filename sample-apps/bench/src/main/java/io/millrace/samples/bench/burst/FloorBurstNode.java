package io.millrace.samples.bench.burst;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.samples.bench.burst.link.LinkModel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The least that an encrypted call over UDP can cost here: one thread with an {@code epoll}, the
 * UDP driver's {@code recvmmsg} and {@code sendmmsg}, and AES-GCM. No datagram is sent again, and a
 * call must fit a datagram.
 */
final class FloorBurstNode implements BurstNode {
  private static final int SOCKET_BYTES = 4 << 20;
  private static final int SEND_BUFFERS = 128;
  private static final int WAIT_MS = 1_000;

  private final List<FloorEndpoint> endpoints = new ArrayList<>();
  private final int mostBytes;
  private final ReadySockets sockets;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isWoken = new AtomicBoolean();
  private volatile boolean isClosed;

  FloorBurstNode(BurstSite site) throws IOException {
    int datagramBytes = site.mtu() - LinkModel.DATAGRAM_OVERHEAD_BYTES;
    mostBytes = datagramBytes - FloorEndpoint.OVERHEAD_BYTES;
    EndpointSettings settings =
        new EndpointSettings(
            new InetSocketAddress(site.host(), 0),
            SOCKET_BYTES,
            SOCKET_BYTES,
            datagramBytes,
            SEND_BUFFERS,
            1,
            false,
            0,
            1,
            NotReadySettings.DEFAULTS);
    for (int i = 0; i < site.nodes(); i++) {
      endpoints.add(new FloorEndpoint(open(settings)));
      site.opened().accept(i + 1);
    }
    sockets = new ReadySockets(endpoints.stream().map(FloorEndpoint::arrivals).toList());
    sockets.makeWakeable();
    Thread.ofPlatform().daemon().name("burst-floor").start(this::run);
  }

  private static Endpoint open(EndpointSettings settings) throws IOException {
    try {
      for (DriverProvider each : ServiceLoader.load(DriverProvider.class)) {
        DriverProvider udp = each.named("udp");
        if (udp != null) {
          return udp.open(settings);
        }
      }
    } catch (DriverException e) {
      throw new IOException(e);
    }
    throw new IOException("no UDP driver");
  }

  private void run() {
    while (!isClosed) {
      int ready = sockets.await(WAIT_MS);
      for (int i = 0; i < ready; i++) {
        if (sockets.owner(i) == endpoints.size()) {
          sockets.clearWake();
          isWoken.set(false);
        } else {
          endpoints.get(sockets.owner(i)).receive();
        }
      }
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      for (FloorEndpoint endpoint : endpoints) {
        endpoint.transmit();
      }
    }
  }

  @Override
  public List<String> addresses() {
    return endpoints.stream().map(FloorEndpoint::text).toList();
  }

  @Override
  public List<BurstCaller> callers(List<String> targets, boolean isForProbes) {
    List<BurstCaller> callers = new ArrayList<>();
    for (String target : targets) {
      FloorEndpoint endpoint = endpoints.get(callers.size() % endpoints.size());
      callers.add((request, _, ending) -> call(endpoint, target, request, ending));
    }
    return callers;
  }

  private void call(
      FloorEndpoint endpoint, String target, byte[] request, BurstCaller.Ending ending) {
    if (Math.max(request.length, BurstCaller.answerBytes(request)) > mostBytes) {
      BurstCaller.fail(ending, "a call of the floor must fit a datagram");
      return;
    }
    tasks.add(() -> endpoint.add(target, request, ending));
    if (isWoken.compareAndSet(false, true)) {
      sockets.wake();
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
