package io.millrace.samples.bench.reference;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Draws the completions over time, a panel for each incast; a grey line is the ideal time. */
final class ReferencePlot {
  private static final int WIDTH = 900;
  private static final int PANEL_HEIGHT = 120;
  private static final int MARGIN = 60;
  private static final int GAP = 40;

  private ReferencePlot() {}

  static void write(List<ReferenceRow> rows, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    int height = Math.max(1, rows.size()) * (PANEL_HEIGHT + GAP) + GAP;
    BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, height);
    for (int i = 0; i < rows.size(); i++) {
      panel(graphics, i * (PANEL_HEIGHT + GAP) + GAP, rows.get(i));
    }
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private static void panel(Graphics2D graphics, int top, ReferenceRow row) {
    int width = WIDTH - 2 * MARGIN;
    int bottom = top + PANEL_HEIGHT;
    double spanNs = row.lastNs();
    graphics.setColor(Color.LIGHT_GRAY);
    graphics.drawRect(MARGIN, top, width, PANEL_HEIGHT);
    int idealX = MARGIN + (int) (row.incast().idealNs() / spanNs * width);
    graphics.drawLine(idealX, top, idealX, bottom);
    graphics.setColor(Color.BLACK);
    graphics.drawString(
        String.format(
            Locale.ROOT,
            "%s: use %.3f, spread %.2f, %.0f us",
            row.incast().name(),
            row.use(),
            row.spread(),
            row.lastNs() / 1e3),
        MARGIN,
        top - 6);
    graphics.drawString(String.valueOf(row.endsNs().length), 6, top + 12);
    graphics.setColor(Color.BLUE);
    int lastX = MARGIN;
    int lastY = bottom;
    for (int i = 0; i < row.endsNs().length; i++) {
      int x = MARGIN + (int) (row.endsNs()[i] / spanNs * width);
      int y = bottom - (i + 1) * PANEL_HEIGHT / row.endsNs().length;
      graphics.drawLine(lastX, lastY, x, y);
      lastX = x;
      lastY = y;
    }
  }
}
