"""What a maker needs: the profiles of the boards, and the kit of parts that is made from one."""
