package io.millrace.handshake.quic;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Ends the connection of a responder that opens a stream, which no honest responder does. No state.
 */
@ChannelHandler.Sharable
final class ClosedToPeers extends ChannelInboundHandlerAdapter {
  static final ClosedToPeers INSTANCE = new ClosedToPeers();

  private ClosedToPeers() {}

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    QuicNode.closeSoon(ctx.channel().parent());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    QuicNode.closeSoon(ctx.channel().parent());
  }
}
