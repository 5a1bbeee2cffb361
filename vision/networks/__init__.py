"""The four networks: where cards lie in a photo, and which cards they are.

1. `engine`    OpenCV's DNN module or ONNX Runtime: the content of an ONNX file -> a function
2. `network`   a network by the engine: a batch of pictures -> its raw output
3. `locate`    photo -> rough quadrilaterals of cards (locate.onnx)
4. `refine`    rough quadrilaterals -> exact ones, each with a score (refine.onnx)
5. `classify`  what identify and index share: crops -> class probabilities
6. `index`     the corners of a card -> class probabilities of the card (index.onnx)
7. `identify`  the whole card (identify.onnx) and its corners -> class probabilities
"""
