package io.millrace.handshake.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.handshake.HandshakeNode;
import java.io.InputStream;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsHandshakeTest {
  private static final String HOST = TlsLab.HOST;

  @TempDir private Path folder;
  private TlsLab lab;

  @BeforeEach
  void open() {
    lab = new TlsLab(folder);
  }

  @AfterEach
  void close() {
    lab.close();
  }

  /**
   * A client that asks for resumption gets no session to resume: the client proves its certificate
   * each time.
   */
  @Test
  void shouldResumeNoSession() throws Exception {
    HandshakeNode server = lab.node("server");
    SSLContext context = lab.context(lab.authority.issue("client", HOST));
    byte[] advert = lab.node("client").advert();
    for (int i = 0; i < 3; i++) {
      try (SSLSocket socket = TlsLab.socket(context, server)) {
        socket.getOutputStream().write(advert);
        InputStream answers = socket.getInputStream();
        while (answers.read() >= 0) {
          // to the end, where tickets have come, too
        }
        HandshakeNode.next(server.paths);
      }
    }
    assertEquals(3, server.epoch.get());
    assertEquals(3, lab.judged.get(), "a session that is resumed is not judged");
  }
}
