package io.millrace.samples.top;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send half a request to the metrics of a node, and a client with a whole request. */
@Timeout(60)
final class SlowReadersTest {
  private static final int MORE_THAN_THERE_ARE_READERS = 40;

  @Test
  void shouldAnswerBesideClientsThatSendHalfARequest() throws IOException {
    Deque<Socket> dawdlers = new ArrayDeque<>();
    try (PrometheusEndpoint endpoint =
        PrometheusEndpoint.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      InetSocketAddress address = addressOf(endpoint);
      for (int i = 0; i < MORE_THAN_THERE_ARE_READERS; i++) {
        dawdlers.add(send(address, "GET /metrics HTTP/1.1\r\nHost:"));
      }
      try (Socket whole = send(address, "GET /metrics HTTP/1.1\r\nHost: node\r\n\r\n")) {
        assertEquals("HTTP/1.1 200 OK", firstLine(whole));
      }
      assertTrue(isClosed(dawdlers.getFirst()), "the oldest client has given way");
    } finally {
      for (Socket dawdler : dawdlers) {
        dawdler.close();
      }
    }
  }

  private static InetSocketAddress addressOf(PrometheusEndpoint endpoint) {
    String address = endpoint.address();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Socket send(InetSocketAddress address, String text) throws IOException {
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return socket;
  }

  private static String firstLine(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      // Unread bytes turn the close into a reset.
      return true;
    }
  }
}
