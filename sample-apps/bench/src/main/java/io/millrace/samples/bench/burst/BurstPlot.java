package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.QueueSample;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Draws the queue, the queue's drops, the rate and the completions over time, row after row. */
final class BurstPlot {
  private static final int WIDTH = 1_200;
  private static final int PANEL_HEIGHT = 150;
  private static final int PANELS = 4;
  private static final int MARGIN = 70;
  private static final int GAP = 26;
  private static final long BIN_NS = 50_000_000;
  private static final double SECOND_NS = 1e9;

  private final BurstRow row;
  private final Graphics2D graphics;
  private final double spanNs;
  private int top;

  /** A curve through points of time and value. */
  private record Point(double atNs, double value) {}

  private BurstPlot(BurstRow row, Graphics2D graphics, int top) {
    this.row = row;
    this.graphics = graphics;
    this.top = top;
    spanNs = Math.max(row.idealNs(), Math.max(1, row.median().end().overNs()));
  }

  static void write(List<BurstRow> rows, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    int height = PANELS * (PANEL_HEIGHT + GAP) + GAP;
    BufferedImage image =
        new BufferedImage(WIDTH, height * rows.size(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    for (int i = 0; i < rows.size(); i++) {
      new BurstPlot(rows.get(i), graphics, i * height).draw();
    }
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private void draw() {
    graphics.setColor(Color.BLACK);
    graphics.drawString(
        "%s, %s of %d B, ideal %.2f s, goodput %.3f"
            .formatted(
                row.peer(),
                row.shape().label(),
                row.sizeBytes(),
                row.idealNs() / SECOND_NS,
                row.goodputOfLink()),
        MARGIN,
        top + GAP - 10);
    top += GAP;
    panel("queue, kB", queue(), row.options().queueBytes / 1e3, Color.BLUE);
    panel("drops", drops(), 0, Color.RED);
    panel("rate, Mbit/s", rate(), row.options().rate / 1e6, new Color(0, 120, 0));
    panel("done", completions(), row.options().transfers, Color.BLACK);
  }

  private List<Point> queue() {
    return row.median().samples().stream()
        .map(sample -> new Point(since(sample), sample.backlogBytes() / 1e3))
        .toList();
  }

  private List<Point> drops() {
    long first = row.median().samples().getFirst().drops();
    return row.median().samples().stream()
        .map(sample -> new Point(since(sample), sample.drops() - first))
        .toList();
  }

  private List<Point> rate() {
    List<Point> points = new ArrayList<>();
    QueueSample from = row.median().samples().getFirst();
    for (QueueSample sample : row.median().samples()) {
      long lastedNs = sample.atNs() - from.atNs();
      if (lastedNs >= BIN_NS) {
        points.add(new Point(since(sample), (sample.bytes() - from.bytes()) * 8e3 / lastedNs));
        from = sample;
      }
    }
    return points;
  }

  private List<Point> completions() {
    List<Point> points = new ArrayList<>();
    List<Long> ends = row.median().endsNs();
    for (int i = 0; i < ends.size(); i++) {
      points.add(new Point(ends.get(i), i + 1));
    }
    return points;
  }

  private double since(QueueSample sample) {
    return sample.atNs() - row.median().startNs();
  }

  private void panel(String label, List<Point> points, double expected, Color color) {
    double most =
        Math.max(
            1e-9, Math.max(expected, points.stream().mapToDouble(Point::value).max().orElse(0)));
    int bottom = top + PANEL_HEIGHT;
    graphics.setColor(Color.LIGHT_GRAY);
    graphics.drawRect(MARGIN, top, WIDTH - MARGIN - GAP, PANEL_HEIGHT);
    int expectedY = bottom - (int) (expected / most * PANEL_HEIGHT);
    graphics.drawLine(MARGIN, expectedY, WIDTH - GAP, expectedY);
    int idealX = x((double) row.idealNs());
    graphics.drawLine(idealX, top, idealX, bottom);
    graphics.setColor(Color.BLACK);
    graphics.drawString(label, MARGIN + 6, top + 14);
    graphics.drawString(String.format(Locale.ROOT, "%,.0f", most), 6, top + 12);
    graphics.drawString("0", 6, bottom);
    graphics.drawString(
        String.format(Locale.ROOT, "%.1f s", spanNs / SECOND_NS), WIDTH - MARGIN, bottom + 14);
    graphics.setColor(color);
    Point last = new Point(0, 0);
    for (Point point : points) {
      if (point.atNs() >= 0) {
        graphics.drawLine(
            x(last.atNs()),
            y(last.value(), most, bottom),
            x(point.atNs()),
            y(point.value(), most, bottom));
        last = point;
      }
    }
    top = bottom + GAP;
  }

  private int x(double atNs) {
    return MARGIN + (int) (Math.min(1, atNs / spanNs) * (WIDTH - MARGIN - GAP));
  }

  private static int y(double value, double most, int bottom) {
    return bottom - (int) (value / most * PANEL_HEIGHT);
  }
}
