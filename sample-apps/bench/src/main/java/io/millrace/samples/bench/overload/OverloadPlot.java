package io.millrace.samples.bench.overload;

import io.millrace.samples.overload.OverloadResult;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;

/**
 * Draws three panels for each bottleneck, over the offered load: completed calls, p99 of each
 * priority, and the completed part of the offered calls of each priority.
 */
final class OverloadPlot {
  private static final int WIDTH = 900;
  private static final int PANEL_HEIGHT = 200;
  private static final int PANELS = 3;
  private static final int MARGIN = 80;
  private static final int GAP = 40;
  private static final int DOT = 6;
  private static final double MS_NS = 1e6;
  private static final List<Color> COLORS =
      List.of(Color.RED, Color.ORANGE, new Color(0, 120, 0), Color.BLUE, Color.BLACK);

  private final Graphics2D graphics;
  private final OverloadReport.Curve curve;
  private int top;

  private OverloadPlot(Graphics2D graphics, OverloadReport.Curve curve, int top) {
    this.graphics = graphics;
    this.curve = curve;
    this.top = top;
  }

  static void write(List<OverloadReport.Curve> curves, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    int height = PANELS * (PANEL_HEIGHT + 2 * GAP);
    BufferedImage image =
        new BufferedImage(WIDTH, height * curves.size(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, image.getHeight());
    for (int i = 0; i < curves.size(); i++) {
      new OverloadPlot(graphics, curves.get(i), i * height + GAP).draw();
    }
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private void draw() {
    String name = curve.bottleneck().name().toLowerCase(Locale.ROOT);
    double bestPerS = curve.bestPerS();
    frame(name + ": completed calls a second", bestPerS);
    line(OverloadResult::completedPerS, bestPerS, Color.BLACK);
    next();
    double mostMs =
        curve.results().stream()
            .flatMap(result -> result.levels().stream())
            .mapToDouble(level -> level.p99Ns() / MS_NS)
            .max()
            .orElse(1);
    frame(name + ": p99 of each priority, ms", mostMs);
    levels(level -> level.p99Ns() / MS_NS, mostMs);
    next();
    frame(name + ": completed part of the offered calls of each priority", 1);
    levels(level -> level.completed() / (double) Math.max(1, level.offered()), 1);
    next();
  }

  private void next() {
    top += PANEL_HEIGHT + 2 * GAP;
  }

  private void levels(ToDoubleFunction<OverloadResult.Level> value, double most) {
    List<Integer> priorities =
        curve.results().getFirst().levels().stream().map(OverloadResult.Level::priority).toList();
    for (int i = 0; i < priorities.size(); i++) {
      int priority = priorities.get(i);
      Color color = COLORS.get(i % COLORS.size());
      line(result -> value.applyAsDouble(result.level(priority)), most, color);
      graphics.drawString("priority " + priority, WIDTH - GAP - MARGIN, top + (i + 1) * 2 * DOT);
    }
  }

  private void frame(String label, double most) {
    graphics.setColor(Color.LIGHT_GRAY);
    graphics.drawRect(MARGIN, top, WIDTH - MARGIN - GAP, PANEL_HEIGHT);
    graphics.setColor(Color.BLACK);
    graphics.drawString(label, MARGIN, top - DOT);
    graphics.drawString(String.format(Locale.ROOT, "%,.1f", most), DOT, top + 2 * DOT);
    graphics.drawString("0", DOT, top + PANEL_HEIGHT);
    for (OverloadResult result : curve.results()) {
      graphics.drawString(
          String.format(Locale.ROOT, "%.0f x", result.factor()),
          x(result),
          top + PANEL_HEIGHT + 2 * DOT);
    }
  }

  private void line(ToDoubleFunction<OverloadResult> value, double most, Color color) {
    graphics.setColor(color);
    OverloadResult before = curve.results().getFirst();
    for (OverloadResult result : curve.results()) {
      int y = y(value.applyAsDouble(result), most);
      graphics.fillOval(x(result) - DOT / 2, y - DOT / 2, DOT, DOT);
      graphics.drawLine(x(before), y(value.applyAsDouble(before), most), x(result), y);
      before = result;
    }
  }

  private int x(OverloadResult result) {
    double most = curve.results().stream().mapToDouble(OverloadResult::factor).max().orElse(1);
    return MARGIN + (int) (result.factor() / most * (WIDTH - MARGIN - GAP));
  }

  private int y(double value, double most) {
    return top + PANEL_HEIGHT - (int) (value / Math.max(most, 1e-9) * PANEL_HEIGHT);
  }
}
