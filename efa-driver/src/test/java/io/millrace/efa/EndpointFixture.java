package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.HoldCause;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of tests of an endpoint over a fake library, with a region to write from. */
abstract class EndpointFixture {
  final Arena arena = Arena.ofShared();
  final Reports reports = new Reports();
  FakeEndpoint fake;
  FabricEndpoint endpoint;
  MemoryRegion region;

  /** A handler that records each report in one line. */
  static class Reports implements CompletionHandler {
    final List<String> lines = new ArrayList<>();

    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
      lines.add("receive " + length);
    }

    @Override
    public void onSendComplete(long context, int status) {
      lines.add("send " + context + " " + status);
    }

    @Override
    public void onWriteComplete(long context, int status) {
      lines.add("write " + context + " " + status);
    }

    @Override
    public void onRemoteWrite(long immediate) {
      lines.add("remote write " + immediate);
    }

    @Override
    public void onUnreachable(int destination) {
      lines.add("unreachable " + destination);
    }

    @Override
    public void onHeld(int destination, HoldCause cause) {
      lines.add("held " + destination + " " + cause);
    }

    @Override
    public void onLetGo(int destination) {
      lines.add("let go " + destination);
    }
  }

  @BeforeEach
  final void openEndpoint() throws DriverException {
    fake = new FakeEndpoint();
    endpoint = fake.endpoint;
    region = endpoint.remoteMemory().register(arena.allocate(100_000), true);
  }

  @AfterEach
  final void closeEndpoint() {
    fake.close();
    arena.close();
  }

  /** Posts a train of datagrams of 100 bytes, without a flush. */
  final void post(int destination, int length, long context) {
    SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
    endpoint.postSend(destination, buffer, length, 100, context);
  }

  /** Posts a train of datagrams of 100 bytes, and flushes. */
  final void send(int destination, int length, long context) {
    post(destination, length, context);
    endpoint.flush();
  }

  final boolean write(int destination, long length, long context) {
    RemoteWrite write = new RemoteWrite().source(region, 0, length).target(0, 1);
    return endpoint.remoteMemory().postWrite(destination, write, context);
  }

  /** Polls once; returns a line for each report, in the order of the reports. */
  final List<String> poll() {
    reports.lines.clear();
    endpoint.poll(reports, 64);
    return List.copyOf(reports.lines);
  }
}
