package io.millrace.testkit.internal.driver;

import io.millrace.driver.CompletionHandler;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps everything that a driver reports, in order. For tests: it copies and allocates. */
public final class RecordingHandler implements CompletionHandler {
  private final List<byte[]> datagrams = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final List<Completion> completions = new ArrayList<>();
  private final List<Integer> unreachable = new ArrayList<>();
  private final List<byte[]> quotes = new ArrayList<>();
  private final List<PathLimit> pathLimits = new ArrayList<>();

  /** A send that came back. */
  public record Completion(long context, int status) {}

  /** A path that turned out to be narrow. */
  public record PathLimit(int destination, int maxDatagramBytes) {}

  /** Creates an empty record. */
  public RecordingHandler() {}

  @Override
  public void onReceive(UnsafeBuffer buffer, int offset, int length, int ecn) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    datagrams.add(bytes);
    marks.add(ecn);
  }

  @Override
  public void onSendComplete(long context, int status) {
    completions.add(new Completion(context, status));
  }

  @Override
  public void onUnreachable(int destination) {
    unreachable.add(destination);
  }

  @Override
  public void onRefused(int destination, UnsafeBuffer quoted, int offset, int length) {
    byte[] bytes = new byte[length];
    quoted.getBytes(offset, bytes);
    quotes.add(bytes);
    unreachable.add(destination);
  }

  @Override
  public void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {
    pathLimits.add(new PathLimit(destination, maxDatagramBytes));
  }

  /** Copies of the datagrams received. */
  public List<byte[]> datagrams() {
    return datagrams;
  }

  /** Lengths of the datagrams received. */
  public List<Integer> lengths() {
    return datagrams.stream().map(bytes -> bytes.length).toList();
  }

  /** The ECN bits of each datagram. */
  public List<Integer> marks() {
    return marks;
  }

  /** Sends that came back. */
  public List<Completion> completions() {
    return completions;
  }

  /** What reports that nobody listens quote of the datagrams that they are about. */
  public List<byte[]> quotes() {
    return quotes;
  }

  /** Destinations reported unreachable, once per report. */
  public List<Integer> unreachable() {
    return unreachable;
  }

  /** Paths reported narrow. */
  public List<PathLimit> pathLimits() {
    return pathLimits;
  }
}
