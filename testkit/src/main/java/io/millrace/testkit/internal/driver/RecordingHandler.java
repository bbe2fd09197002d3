package io.millrace.testkit.internal.driver;

import io.millrace.driver.CompletionHandler;
import io.millrace.memory.SegmentBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps all reports of a driver, in order. For tests: the handler copies and allocates. */
public final class RecordingHandler implements CompletionHandler {
  private final List<byte[]> datagrams = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final List<Completion> completions = new ArrayList<>();
  private final List<Integer> unreachable = new ArrayList<>();
  private final List<byte[]> quotes = new ArrayList<>();
  private final List<PathLimit> pathLimits = new ArrayList<>();

  /** A send that was reported complete. */
  public record Completion(long context, int status) {}

  /** A path that was reported narrow. */
  public record PathLimit(int destination, int maxDatagramBytes) {}

  /** Creates an empty record. */
  public RecordingHandler() {}

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
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
  public void onRefused(int destination, SegmentBuffer quoted, int offset, int length) {
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

  /** The completed sends. */
  public List<Completion> completions() {
    return completions;
  }

  /** The quotes in reports of unreachable destinations: the beginnings of the refused datagrams. */
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
