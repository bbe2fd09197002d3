package io.millrace.samples.bench.floor;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;

/** Receives, opens sealed records, and reports the counts. Runs on the duty thread. */
final class FloorServer implements BenchServer, DutyThread.Duty, CompletionHandler {
  private static final int POLL_LIMIT = 64;
  private static final long ANSWER_EVERY_BYTES = 256 << 10;

  private final Endpoint endpoint;
  private final String address;
  private final RecordAssembly assembly = new RecordAssembly();
  private final FloorCipher alone = new FloorCipher();
  private final DutyThread thread;
  private int client = -1;
  private long bytes;
  private long answeredBytes;
  private long receiveNs;
  private long aloneRecord;
  private long aloneNs;
  private long aloneOpened;
  private long question;
  private boolean answerDue;

  FloorServer(PeerSite site) throws DriverException {
    endpoint = FloorNode.open(site);
    address = FloorNode.text(endpoint.localAddress());
    thread = new DutyThread("floor-duty", this, site.gate());
    thread.start();
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void turn() {
    long startNs = System.nanoTime();
    long openedNs = assembly.openNs();
    if (endpoint.poll(this, POLL_LIMIT) > 0) {
      receiveNs += System.nanoTime() - startNs - (assembly.openNs() - openedNs);
    }
    if (answerDue || bytes - answeredBytes >= ANSWER_EVERY_BYTES) {
      answer();
    }
  }

  @Override
  public void slowTurn() {
    turn();
  }

  @Override
  public boolean isConnected() {
    return client >= 0;
  }

  @Override
  public void onEnd() {
    endpoint.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    long header = buffer.getLong(offset);
    long argument = FloorFrame.argument(header);
    int payload = length - FloorFrame.HEADER_BYTES;
    switch (FloorFrame.kind(header)) {
      case FloorFrame.RAW -> bytes += payload;
      case FloorFrame.RECORDS -> {
        bytes += payload;
        assembly.take(argument, buffer, offset + FloorFrame.HEADER_BYTES, payload);
      }
      default -> onQuestion(FloorFrame.kind(header), argument, buffer, offset);
    }
  }

  /** Answers a repeated question again, without repeating the work for the question. */
  private void onQuestion(int kind, long number, SegmentBuffer buffer, int offset) {
    answerDue = true;
    if (number == question) {
      return;
    }
    question = number;
    if (client < 0) {
      byte[] address = new byte[buffer.getInt(offset + FloorFrame.CLIENT_OFFSET)];
      buffer.getBytes(offset + FloorFrame.CLIENT_OFFSET + Integer.BYTES, address);
      findClient(address);
    }
    if (kind == FloorFrame.RESET) {
      reset();
    } else if (kind == FloorFrame.OPEN_ALONE) {
      reset();
      openAlone(buffer.getLong(offset + FloorFrame.HEADER_BYTES));
    }
  }

  private void reset() {
    bytes = 0;
    answeredBytes = 0;
    receiveNs = 0;
    aloneNs = 0;
    aloneOpened = 0;
    assembly.reset();
  }

  private void openAlone(long durationNs) {
    byte[] sealed = new byte[FloorCipher.SEALED_BYTES];
    aloneRecord++;
    alone.seal(aloneRecord, sealed);
    long startNs = System.nanoTime();
    while (aloneNs < durationNs) {
      if (alone.open(aloneRecord, sealed)) {
        aloneOpened++;
      }
      aloneNs = System.nanoTime() - startNs;
    }
  }

  private void findClient(byte[] bytes) {
    try {
      client = endpoint.resolve(new EndpointAddress(endpoint.localAddress().family(), bytes));
    } catch (DriverException e) {
      System.err.println("floor: " + e.getMessage());
    }
  }

  private void answer() {
    SendBuffer buffer = client < 0 ? null : endpoint.acquireSendBuffer();
    if (buffer == null) {
      return;
    }
    SegmentBuffer into = buffer.buffer();
    into.putLong(0, FloorFrame.header(FloorFrame.ANSWER, question));
    into.putLong(Long.BYTES, bytes);
    into.putLong(2 * Long.BYTES, assembly.opened() + aloneOpened);
    into.putLong(3 * Long.BYTES, receiveNs);
    into.putLong(4 * Long.BYTES, assembly.openNs() + aloneNs);
    into.putLong(5 * Long.BYTES, assembly.bad());
    endpoint.postSend(client, buffer, FloorFrame.ANSWER_BYTES, FloorFrame.ANSWER_BYTES, 0);
    endpoint.flush();
    answeredBytes = bytes;
    answerDue = false;
  }
}
