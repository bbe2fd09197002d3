package io.millrace.samples.bench.burst;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Draws the time to the last quorum over the calls in flight: a panel for each fan-out, a curve for
 * each peer and size. Both axes start at 0; the steps of the horizontal axis are the measured
 * numbers of calls.
 */
final class PaxosPlot {
  private static final int WIDTH = 900;
  private static final int PANEL_HEIGHT = 200;
  private static final int MARGIN = 80;
  private static final int GAP = 40;
  private static final int DOT = 6;
  private static final List<Color> COLORS =
      List.of(Color.BLUE, Color.RED, new Color(0, 120, 0), Color.ORANGE, Color.MAGENTA);

  private PaxosPlot() {}

  static void write(List<PaxosBurst.Cell> cells, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    List<Integer> fanouts = cells.stream().map(PaxosBurst.Cell::fanout).distinct().toList();
    int height = Math.max(1, fanouts.size()) * (PANEL_HEIGHT + 2 * GAP);
    BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, height);
    for (int i = 0; i < fanouts.size(); i++) {
      int fanout = fanouts.get(i);
      panel(
          graphics,
          i * (PANEL_HEIGHT + 2 * GAP) + GAP,
          cells.stream().filter(cell -> cell.fanout() == fanout).toList());
    }
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private static void panel(Graphics2D graphics, int top, List<PaxosBurst.Cell> cells) {
    List<Integer> steps = cells.stream().map(PaxosBurst.Cell::inFlight).distinct().toList();
    double mostMs = cells.stream().mapToDouble(PaxosBurst.Cell::quorumMs).max().orElse(1);
    int bottom = top + PANEL_HEIGHT;
    graphics.setColor(Color.LIGHT_GRAY);
    graphics.drawRect(MARGIN, top, WIDTH - MARGIN - GAP, PANEL_HEIGHT);
    graphics.setColor(Color.BLACK);
    graphics.drawString(
        "%,d calls: ms to the last quorum, by calls in flight".formatted(cells.getFirst().fanout()),
        MARGIN,
        top - DOT);
    graphics.drawString("%,.0f".formatted(mostMs), DOT, top + 2 * DOT);
    graphics.drawString("0", DOT, bottom);
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i) == 0 ? "all" : "%,d".formatted(steps.get(i));
      graphics.drawString(step, x(i, steps.size()) - DOT, bottom + 3 * DOT);
    }
    List<String> curves = cells.stream().map(PaxosPlot::curve).distinct().toList();
    for (int i = 0; i < curves.size(); i++) {
      String curve = curves.get(i);
      graphics.setColor(COLORS.get(i % COLORS.size()));
      graphics.drawString(curve, WIDTH - 2 * MARGIN - GAP, top + 3 * DOT * (i + 1));
      List<PaxosBurst.Cell> points = cells.stream().filter(c -> curve(c).equals(curve)).toList();
      for (int at = 0; at < points.size(); at++) {
        int x = x(at, steps.size());
        int y = y(points.get(at), mostMs, bottom);
        graphics.fillOval(x - DOT / 2, y - DOT / 2, DOT, DOT);
        if (at > 0) {
          int lastY = y(points.get(at - 1), mostMs, bottom);
          graphics.drawLine(x(at - 1, steps.size()), lastY, x, y);
        }
      }
    }
  }

  private static String curve(PaxosBurst.Cell cell) {
    return cell.peer() + ", " + cell.sizeBytes() + " B";
  }

  private static int x(int step, int steps) {
    return MARGIN + (WIDTH - MARGIN - GAP) * (2 * step + 1) / (2 * steps);
  }

  private static int y(PaxosBurst.Cell cell, double mostMs, int bottom) {
    return bottom - (int) (cell.quorumMs() / mostMs * PANEL_HEIGHT);
  }
}
